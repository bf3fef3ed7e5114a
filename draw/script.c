/* The page's script, which sorts and filters tables. */
#include "draw/style.h"

#include <stddef.h>

/* Sorts and filters tables. Nothing of the page needs it: without it tables stand in the order they were written
 * in. Controls are made here, so that none stands there dead. */
const char *const page_script[] = {
    "(function(){'use strict';\n",
    /* "1,352", "0.7%", "81 ppm", "1.0k", "6.49 box2d", "✗ 12%"; what has no number comes last, either way */
    "var unit={'%':1e-2,ppm:1e-6,k:1e3,M:1e6,'×':1};\n",
    "function value(s){var m=/^[^0-9+-]*?([+-]?[0-9][0-9,]*(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?)\\s*(%|ppm|×|[kM](?![a-z]))?/"
    ".exec(s.replace('−','-'));"
    "return m?parseFloat(m[1].replace(/,/g,''))*(unit[m[2]]||1):0/0}\n",
    "function words(c){return c?c.textContent.trim():''}\n",
    "function make(tag,name,text){var e=document.createElement(tag);if(name)e.className=name;if(text)e.textContent=text;"
    "return e}\n",
    /* the cell of a row that stands in a column, whatever it spans */
    "function cellAt(row,column){for(var i=0,at=0;i<row.cells.length;i++){at+=row.cells[i].colSpan;if(at>column)return "
    "row.cells[i]}}\n",
    "function table(t,number){\n",
    "var bodies=[].slice.call(t.tBodies),head=t.tHead&&t.tHead.rows[t.tHead.rows.length-1];\n",
    "var all=bodies.map(function(b){return [].slice.call(b.rows).filter(function(r){return r.className!='rank'})});\n",
    "var count=all.reduce(function(n,b){return n+b.length},0);\n",
    "if(!head||count<3)return;\n",
    "function sort(column,order,numeric){bodies.forEach(function(b,k){var rows=all[k].slice();"
    "if(order)rows=rows.map(function(r,i){var s=words(cellAt(r,column));return{r:r,i:i,s:s,v:numeric?value(s):0}})"
    ".sort(function(x,y){var a=x.v!=x.v,z=y.v!=y.v;if(a||z)return a-z||x.i-y.i;"
    "var d=numeric?x.v-y.v:x.s.localeCompare(y.s,'en',{numeric:true});return order*d||x.i-y.i}).map(function(x){return x.r});"
    "rows.forEach(function(r){b.appendChild(r)})})}\n",
    "var at=0;[].slice.call(head.cells).forEach(function(th){var column=at;at+=th.colSpan;if(!words(th)||th.colSpan>1)return;\n",
    "var button=make('button','sort');button.type='button';"
    "while(th.firstChild)button.appendChild(th.firstChild);th.appendChild(button);\n",
    "function quantity(){var yes=0,no=0;all.forEach(function(b){b.forEach(function(r){var s=words(cellAt(r,column));"
    "if(/[0-9]/.test(s)&&!/^[a-z0-9]*[a-z]{3}/i.test(s))yes++;else if(s.length>1&&!/^[a-z ]+$/.test(s))no++;})});return yes>no}\n",
    "button.addEventListener('click',function(){var was=th.getAttribute('aria-sort');"
    "[].forEach.call(head.cells,function(c){c.removeAttribute('aria-sort')});"
    "var order=was=='ascending'?-1:was?0:1;if(order)th.setAttribute('aria-sort',order>0?'ascending':'descending');"
    "sort(column,order,quantity())})});\n",
    "if(count<8)return;\n",
    "var box=make('p','filter'),label=make('label','','Filter rows '),input=make('input'),said=make('output');"
    "input.type='search';input.id='filter'+number;label.htmlFor=input.id;"
    "input.setAttribute('aria-label','Filter rows'+(t.dataset.title?': '+t.dataset.title:t.caption?': '+words(t.caption):''));"
    "said.setAttribute('aria-live','polite');said.htmlFor=input.id;\n",
    "box.appendChild(label);box.appendChild(input);box.appendChild(said);"
    "t.parentNode.parentNode.insertBefore(box,t.parentNode);\n",
    "var texts;\n",
    "input.addEventListener('input',function(){texts=texts||all.map(function(b){return b.map(function(r){"
    "return r.textContent.toLowerCase()})});var asked=input.value.toLowerCase().split(/\\s+/).filter(Boolean),shown=0;"
    "all.forEach(function(b,k){var any=0;b.forEach(function(r,i){var fits=asked.every(function(w){return texts[k][i].indexOf(w)>=0});"
    "r.hidden=!fits;any+=fits});shown+=any;"
    "[].forEach.call(bodies[k].querySelectorAll('.rank'),function(r){r.hidden=!any})});"
    "said.textContent=asked.length?' '+shown+' of '+count+' rows':''})}\n",
    "[].forEach.call(document.querySelectorAll('table[data-file]:not(.map)'),table);\n",
    /* what scrolls is reached by keyboard, too; asked of what comes into sight, or all would be laid out at once */
    "function reach(s){if(s.scrollWidth>s.clientWidth+1){s.tabIndex=0;s.setAttribute('role','group');"
    "s.setAttribute('aria-label','scrolls sideways')}}\n",
    "if(window.IntersectionObserver){var seen=new IntersectionObserver(function(list){list.forEach(function(e){"
    "if(e.isIntersecting)reach(e.target)})});"
    "[].forEach.call(document.querySelectorAll('.scroll'),function(s){seen.observe(s)})}\n",
    /* a link into a part that is folded unfolds it */
    "function unfold(){var t=document.getElementById(location.hash.slice(1));"
    "for(var d=t&&(t.querySelector('.fold')||t);d;d=d.parentElement)if(d.tagName=='DETAILS')d.open=true;"
    "if(t)t.scrollIntoView()}\n",
    "addEventListener('hashchange',unfold);if(location.hash)unfold();\n",
    /* paper unfolds nothing by itself; hundreds of points stay in their file */
    "var shut=[];addEventListener('beforeprint',function(){shut=[].filter.call(document.querySelectorAll('details:not([open])'),"
    "function(d){return d.className=='fold'||d.querySelectorAll('tr').length<200});"
    "shut.forEach(function(d){d.open=true})});"
    "addEventListener('afterprint',function(){shut.forEach(function(d){d.open=false})});\n",
    "})();\n",
    NULL,
};
