"""A browser to test pages in: chromedriver's HTTP protocol, with the standard library alone."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]


def programs():
    """Paths of browser and driver, None for what is missing."""
    return shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")


class Browser:
    def __init__(self):
        browser, driver = programs()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.session = None
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r"on port ([1-9]\d*)", line)
            if found:
                port = found.group(1)
                break
        if not port:
            raise RuntimeError("chromedriver did not start")
        self.root = f"http://127.0.0.1:{port}"
        options = {"binary": browser, "args": [*FLAGS, f"--user-data-dir={self.profile.name}"]}
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.session:
            self.ask("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()
        self.profile.cleanup()

    def ask(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        # No proxy stands between a test and its own machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.load(error)['value']['message'].splitlines()[0]}") from None

    def open(self, url):
        self.ask("POST", self.session + "/url", {"url": url})

    def run(self, script, *args):
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(args)})

    def cdp(self, command, **params):
        return self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": params})

    def size(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)

    def scheme(self, name, media=""):
        self.cdp("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": name}])

    def show_all(self):
        """Lays out what the window does not show yet, too."""
        self.run("document.querySelectorAll('main>section').forEach(s=>s.style.contentVisibility='visible')")

    def keys(self, text):
        """Types into what has the focus."""
        actions = [step for c in text for step in ({"type": "keyDown", "value": c}, {"type": "keyUp", "value": c})]
        self.ask("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def complaints(self):
        """What the console said that is no mere information, since it was asked last."""
        said = self.ask("POST", self.session + "/se/log", {"type": "browser"})
        return [entry["message"] for entry in said if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path, selector=None):
        """A PNG of the window, or of an element as it would be on paper of any length."""
        if selector:
            self.show_all()
            box = self.run("const b=document.querySelector(arguments[0]).getBoundingClientRect();"
                           "return [b.x+scrollX,b.y+scrollY,b.width,b.height]", selector)
            shot = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip={
                "x": box[0], "y": box[1], "width": box[2], "height": box[3], "scale": 1})["data"]
        else:
            shot = self.ask("GET", self.session + "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))
