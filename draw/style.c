/* The pages' style sheet, for light, dark and paper, and how they begin. */
#include "draw/style.h"

#include <stddef.h>

const char *const page_style[] = {
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1e21;--muted:#5b636b;--rule:#d8dce0;--grid:#e6e9ec;"
    "--tint:#f5f7f8;--bar:#cfe3f1;--accent:#0072b2;--bad:#a33c00;--alarm:#b3001b;--shade:#0003;--good:#00704f;"
    "--c1:#0072b2;--c2:#45a6df;--c3:#009e73;--c4:#d38f00;--c5:#b9628f;--c6:#d55e00;--c8:#80868c;--c9:#998a00;"
    "--w2:#f0c9a0;--w3:#e69a50;--w4:#d55e00;--w5:#8f2f00}\n",
    "@media(prefers-color-scheme:dark){:root{--paper:#15181b;--ink:#e4e7ea;--muted:#a0a8b0;--rule:#343a40;"
    "--grid:#292e33;--tint:#1c2024;--bar:#1d3e57;--accent:#62b5ec;--bad:#ff9d66;--alarm:#ff7a80;--shade:#fff3;--good:#4fd0a5;"
    "--c1:#4aa5ea;--c2:#9ad2f5;--c3:#25b98d;--c4:#f0ad1f;--c5:#dd9abf;--c6:#f27c2b;--c8:#8f979f;--c9:#f0e442;"
    "--w2:#5c3512;--w3:#9a551c;--w4:#e27a1f;--w5:#ffc79a}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',"
    "Roboto,'DejaVu Sans',sans-serif;-webkit-text-size-adjust:100%}\n",
    "header,main,footer{max-width:1280px;margin:0 auto;padding:0 20px}\n",
    "header{padding-top:24px}\n",
    "h1{font-size:30px;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em;font-weight:650}\n",
    "h2{font-size:22px;line-height:1.3;margin:56px 0 6px;padding-top:14px;border-top:1px solid var(--rule);font-weight:650}\n",
    "h3{font-size:17px;margin:0;font-weight:650}\n",
    "p{margin:0 0 14px;max-width:72ch}\n",
    ".sub,.lead,.note,.absent,.who{color:var(--muted)}\n",
    ".sub,.note,.who{font-size:14px}.sub{max-width:none}#headline h2{margin-top:24px}\n",
    ".who{margin:0 0 8px}\n",
    ".absent{border-left:3px solid var(--rule);padding-left:12px}\n",
    "a{color:var(--accent);text-underline-offset:2px}\n",
    "code{font:.92em ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;background:var(--tint);padding:1px 4px;"
    "border-radius:3px;overflow-wrap:anywhere}\n",
    ".health{border-left:4px solid var(--muted);padding:6px 12px;margin:0 0 18px;max-width:none;"
    "background:var(--tint);font-size:15px}"
    ".health.fine{border-color:var(--good)}.health.fine b{color:var(--good)}.health.amiss{"
    "border-color:var(--alarm)}.health.amiss,b.amiss{color:var(--alarm)}\n",
    ".opening{margin:16px 0 12px;padding-left:22px;max-width:100ch}.opening li{margin-bottom:8px}"
    "header details{margin-top:6px}#guide .sub{margin:8px 0}\n",
    "nav{font-size:14px;margin:14px 0 0;display:flex;flex-wrap:wrap;gap:4px 16px}\n",
    "nav a{text-decoration:none}nav a:hover{text-decoration:underline}\n",
    ".cards,.plots,.tables{display:grid;gap:20px;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr))}.plots{grid-template-columns:repeat(auto-fill,minmax(min(100%,360px),1fr));gap:22px 32px}\n",
    ".cards+.lead,.note+.lead{margin-top:26px}.cards+.note{margin-top:10px}.card{"
    "border:1px solid var(--rule);border-radius:6px;padding:16px 18px 10px;min-width:0}"
    ".plots:has(>figure:nth-child(4):last-child){grid-template-columns:repeat(auto-fill,minmax(min(100%,"
    "480px),1fr))}.card.whole{grid-column:1/-1}#changed tbody th{overflow-wrap:anywhere}\n",
    ".tables.wide{grid-template-columns:minmax(0,1fr)}.wide table{width:auto}\n",
    ".versus{display:flex;align-items:baseline;gap:6px;color:var(--muted)}\n",
    ".big{font-size:30px;line-height:1.25;font-weight:650;color:var(--accent);min-width:88px;"
    "font-variant-numeric:tabular-nums;letter-spacing:-.01em}.big small{font-size:14px}\n",
    ".versus+.versus .big{font-size:22px;color:var(--ink)}\n",
    ".card table{margin-top:10px;width:100%}\n",
    ".verdicts{list-style:none;padding:0;margin:22px 0;display:grid;gap:8px}\n",
    ".verdicts li{display:flex;gap:10px;max-width:90ch}\n",
    ".sign{flex:none;width:22px;height:22px;margin-top:1px;border-radius:50%;display:grid;place-items:center;font-size:14px;"
    "font-weight:700;line-height:1;border:1.5px solid var(--muted);color:var(--muted)}\n",
    ".good .sign{border-color:var(--good);color:var(--good)}.wrong .sign{background:var(--bad);border-color:var(--bad);"
    "color:var(--paper)}.wrong b{color:var(--bad)}\n",
    "table{border-collapse:collapse;font-size:14px;line-height:1.4;font-variant-numeric:tabular-nums}\n",
    "th,td{padding:4px 10px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}\n",
    "th:last-child,td:last-child{padding-right:0}\n",
    "thead th{font-weight:500;color:var(--muted);border-bottom-color:var(--rule);vertical-align:bottom}\n",
    "tbody th,tfoot th{font-weight:400;white-space:nowrap}\n",
    ".n{text-align:right;white-space:nowrap}\n",
    ".best th,.best td{font-weight:650}\n",
    ".bad{color:var(--bad);font-weight:650}.bad::before{content:'✗ ';font-weight:400}\n",
    ".quiet{color:var(--muted)}\n",
    "tfoot th,tfoot td{color:var(--muted);border-bottom:0;padding-top:1px;padding-bottom:1px}\n",
    "tfoot tr:first-child>*{border-top:1px solid var(--rule);padding-top:5px}\n",
    "caption{text-align:left;font-weight:650;padding:0 0 4px}caption span{font-weight:400;color:var(--muted);margin-left:8px}\n",
    ".tables table{width:100%}.facts{margin-bottom:18px}.facts th{padding-right:24px}.facts td{overflow-wrap:anywhere}\n",
    ".compact td{text-align:right;white-space:nowrap}.compact td:last-child{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px}\n",
    ".scroll{overflow-x:auto;max-width:100%;min-width:0;background:linear-gradient(90deg,var(--paper) 40%,"
    "transparent) 0/28px local,"
    "linear-gradient(270deg,var(--paper) 40%,transparent) 100%/28px local,linear-gradient(90deg,"
    "var(--shade),transparent) 0/10px scroll,"
    "linear-gradient(270deg,var(--shade),transparent) 100%/10px scroll;background-repeat:no-repeat}\n",
    "figure{margin:0;min-width:0}\n",
    "figcaption{font-size:14px;display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;align-items:baseline;margin:6px 0 2px}\n",
    ".see{flex-basis:100%;margin:2px 0 4px;font-size:13.5px;line-height:1.4}figcaption .files{white-space:nowrap}.files a{margin-left:8px;color:var(--muted)}p.files{margin:4px 0 12px;font-size:12.5px;color:var(--muted)}p.files a{margin-left:2px}\n",
    "figcaption b{font-weight:650;font-size:15px}figcaption a{color:var(--muted)}\n",
    "figure svg{display:block;width:100%;height:auto;min-width:300px;font-size:14px;font-family:inherit;"
    "color:var(--ink);stroke-linecap:round;stroke-linejoin:round;overflow:visible}\n",
    ".facts-list{margin:0 0 14px;padding-left:18px;max-width:90ch}\n",
    "figure table{width:100%}figure thead th.n{white-space:normal}\n",
    ".map{table-layout:fixed;width:100%;font-size:13px;line-height:1.3}.map th,.map td{border:2px solid var(--paper);padding:5px 3px;"
    "text-align:center;vertical-align:middle;overflow-wrap:anywhere}.map tr:first-child th:first-child,.map tbody th{width:64px;"
    "text-align:left}.map td{background:var(--tint)}.map b{display:block;font-weight:650}\n",
    ".m1{--m:var(--c1)}.m2{--m:var(--c2)}.m3{--m:var(--c3)}.m4{--m:var(--c4)}.m5{--m:var(--c5)}.m6{--m:var(--c6)}.m8{--m:var(--c8)}"
    ".m9{--m:var(--c9)}.map td[class^=m]{background:color-mix(in srgb,var(--m) 30%,var(--paper))}\n",
    ".marks{position:absolute}\n",
    "details{margin-top:14px}summary{cursor:pointer;color:var(--accent);font-size:15px;padding:4px 0}\n",
    ".fold{margin:0}.fold>summary{list-style:none;padding:0}.fold>summary::-webkit-details-marker{display:none}"
    ".fold>summary h2{margin-top:0;padding:10px 0 8px;font-size:19px}.fold>summary h2::before{content:'▸ ';color:var(--accent)}"
    ".fold[open]>summary h2::before{content:'▾ '}.fold[open]{padding-bottom:40px}.fold>summary:focus-visible{outline:2px solid "
    "var(--accent)}\n",
    ".bar{background:linear-gradient(var(--bar),var(--bar)) no-repeat 0 50%/var(--w) 74%}\n",
    "dl{max-width:80ch}dt{font-weight:650;margin-top:12px}dd{margin:0}\n",
    ".league{font-size:13px;line-height:1.25;table-layout:fixed}.league th,.league td{padding:3px 6px 3px 0;vertical-align:middle}"
    ".league thead th{vertical-align:bottom;white-space:normal;font-size:12px}.league thead th.group{color:var(--ink);font-size:13px;"
    "border-bottom:1px solid var(--rule)}.league caption{font-size:16px;padding-top:16px}.league sup{line-height:0}\n",
    ".league th[scope=row]{white-space:normal;position:sticky;left:0;background:var(--paper);z-index:1;overflow-wrap:anywhere}"
    ".league small{display:block;font-size:11.5px;color:var(--muted);font-weight:400}.league .bad small{white-space:nowrap}"
    ".league .amiss small{display:inline;color:inherit;font-weight:650}"
    ".league .rank th{padding-top:12px;color:var(--muted);font-size:12px}.league .bad::before{content:none}\n",
    ".league .tile{padding:3px 4px;text-align:right}.league thead th.tile{font-size:11px;padding-left:0}.league td.tile{border:2px solid var(--paper)}"
    ".league svg{display:block}.league .curve{padding-left:10px}.league td.strip{padding-left:4px}\n",
    ".h1{background:rgba(0,114,178,.06)}.h2{background:rgba(0,114,178,.12)}.h3{background:rgba(0,114,178,.2)}"
    ".h4{background:rgba(0,114,178,.3)}.h5{background:rgba(0,114,178,.42)}.h6{background:rgba(0,114,178,.58)}\n",
    ".curve polyline{fill:none;stroke:var(--ink);stroke-width:1.4}.curve .first{stroke:var(--c8);stroke-width:1;opacity:.7}"
    ".curve circle{fill:var(--ink)}\n",
    ".w0{fill:var(--grid);background:var(--grid)}.w1{fill:rgba(0,158,115,.35);background:rgba(0,158,115,.35)}"
    ".w2{fill:var(--w2);background:var(--w2)}.w3{fill:var(--w3);background:var(--w3)}.w4{fill:var(--w4);background:var(--w4)}"
    ".w5{fill:var(--w5);background:var(--w5)}.key i{display:inline-block;width:10px;height:10px;margin-left:6px}\n",
    "footer{padding-top:40px;padding-bottom:48px;color:var(--muted);font-size:14px}\n",
    "@media(max-width:560px){body{font-size:15px}header,main,footer{padding-left:14px;padding-right:14px}"
    "header{padding-top:14px}h1{font-size:25px}h2{font-size:20px;margin-top:40px}.card{padding:14px 12px 8px}"
    ".big{font-size:26px;min-width:76px}.card th,.card td{padding-right:7px}.card th:last-child,.card td:last-child{padding-right:0}"
    "#headline .card tr>:nth-child(3){display:none}#brief .card td span{white-space:normal}#motion table{font-size:12.5px}#motion tbody th{white-space:normal}"
    "#motion th,#motion td{padding-right:6px}}\n",
    ".sort{all:unset;cursor:pointer;font:inherit;color:inherit}.sort:hover{text-decoration:underline}.sort:focus-visible,input:focus-visible,"
    "a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}"
    "[aria-sort] .sort{color:var(--ink)}[aria-sort=ascending] .sort::after{content:' ▲';font-size:.75em}[aria-sort=descending] .sort::after{content:' ▼';font-size:.75em}\n",
    ".filter{font-size:13px;color:var(--muted);margin:8px 0 2px}.filter input{font:inherit;color:var(--ink);background:var(--paper);"
    "border:1px solid var(--rule);border-radius:4px;padding:2px 6px;width:12em;max-width:50vw}\n",
    "#brief .cards{grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr))}#brief table{"
    "font-size:13px}#brief tbody th{white-space:normal}#brief h2{margin-top:24px}#brief td span{"
    "white-space:nowrap}"
    "#brief .files{margin-bottom:2px}[hidden]{display:none!important}\n",
    "@page{size:A4;margin:14mm}@page wide{size:A4 landscape;margin:12mm}@media print{#wrong,#wrong-3d,#league,#league-3d{page:wide}"
    "#wrong .tables.wide table,#wrong-3d .tables.wide table{font-size:9px;width:100%}.league{zoom:.78}"
    "nav,.filter,p.files,figcaption .files,footer{display:none}:root{color-scheme:light}.plots{grid-template-columns:1fr 1fr}body{font-size:12px}header,main{max-width:none;padding:0}tr{break-inside:avoid}h2,h3,figcaption{break-after:avoid}.scroll{overflow:visible}figure,.card{break-inside:avoid}figure svg{min-width:0}}\n",
    NULL,
};

void page_begin(const char *meta, const char *title, const char *rest, const char *style, text *page)
{
    text_format(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                      "content=\"width=device-width,initial-scale=1\">%s<meta name=\"color-scheme\" "
                      "content=\"light dark\"><title>", meta);
    text_html(page, title);
    text_html(page, rest);
    text_add(page, "</title><link rel=\"icon\" href=\"data:,\"><style>\n");
    for (size_t i = 0; page_style[i]; i++)
        text_add(page, page_style[i]);
    text_add(page, style);
    text_add(page, "</style></head>\n<body>");
}

void page_heading(const char *title, const char *rest, const char *note, text *page)
{
    text_add(page, "<header><h1>");
    text_html(page, title);
    text_html(page, rest);
    text_add(page, "</h1>");
    if (!*note)
        return;
    text_add(page, "<p>");
    text_html(page, note);
    text_add(page, "</p>");
}
