"""A headless Chromium, driven by chromedriver's HTTP protocol (WebDriver)."""
import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010",
        "Control": "\ue009", "Enter": "\ue007", "Delete": "\ue017", "Escape": "\ue00c", "Tab": "\ue004", "F1": "\ue031"}


class NoBrowser(Exception):
    """The browser cannot be started."""


class Browser:
    """Raises NoBrowser with the reason when a program is not there or does not work here."""

    def __init__(self, profile, width=1000, height=900, touch=False):
        binary = shutil.which("chromium") or shutil.which("chromium-browser")
        if not binary or not shutil.which("chromedriver"):
            raise NoBrowser("%s is missing" % ("chromedriver" if binary else "chromium"))
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            for line in self.driver.stdout:
                if "started successfully on port" in line:
                    self.base = "http://127.0.0.1:%d" % int(line.rsplit("port", 1)[1].strip(" .\n"))
                    break
            else:
                raise NoBrowser("chromedriver ends without a word")
            options = {"binary": binary,
                       "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                                "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + profile]}
            if touch:
                options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1, "touch": True}}
            else:
                options["args"].append("--window-size=%d,%d" % (width, height))
            wanted = {"goog:chromeOptions": options, "pageLoadStrategy": "normal"}
            try:
                self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
            except (OSError, RuntimeError) as error:
                raise NoBrowser("chromium cannot start: %s" % error) from None
            self.call("POST", "/timeouts", {"implicit": 20000})  # what a script makes may come later
        except Exception:
            self.close()
            raise

    def call(self, method, path, body=None):
        prefix = "/session/" + self.session if self.session else ""
        request = urllib.request.Request(self.base + prefix + path, method=method, headers={"Content-Type": "application/json"},
                                         data=json.dumps(body or {}).encode() if method == "POST" else None)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].partition("\n")[0]) from None

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value that JavaScript returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", "/element/%s/click" % self.find(selector), {})

    def press(self, *keys):
        """Keys for what has the focus, one after another."""
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def press_with(self, held, key):
        """A key while another one is held."""
        actions = [{"type": kind, "value": KEYS.get(word, word)} for kind, word in (("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held))]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, script, seconds=20):
        """The value of an expression of JavaScript as soon as it is true; its last value when it does not become so."""
        until = time.monotonic() + seconds
        while True:
            value = self.run("return " + script)
            if value or time.monotonic() > until:
                return value
            time.sleep(0.05)

    def windows(self):
        """The windows, in no order."""
        return self.call("GET", "/window/handles")

    def go_to(self, window):
        self.call("POST", "/window", {"handle": window})

    def close_window(self):
        self.call("DELETE", "/window")

    def swipe(self, selector, dx):
        """A finger moves from the middle of an element by dx pixels."""
        origin = {ELEMENT: self.find(selector)}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
            {"type": "pointerMove", "origin": origin, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "origin": "pointer", "x": dx, "y": 0, "duration": 50}, {"type": "pointerUp", "button": 0}]}]})

    def command(self, name, **parameters):
        """The answer to a command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def nameless(self):
        """The roles of what the keyboard reaches on the page, but has no name for a screen reader."""
        def has(node, name):
            return any(p["name"] == name and p["value"].get("value") for p in node.get("properties", []))
        nodes = [n for n in self.command("Accessibility.getFullAXTree")["nodes"] if not n["ignored"] and has(n, "focusable")]
        assert len(nodes) > 10
        return [n["role"]["value"] for n in nodes if not n.get("name", {}).get("value") and n["role"]["value"] not in ("generic", "RootWebArea")]

    def picture(self, path):
        """A picture of the window, as WebP when the name ends so, otherwise as PNG."""
        data = self.command("Page.captureScreenshot", format="webp", quality=85)["data"] \
            if path.endswith(".webp") else self.call("GET", "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def printed(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("POST", "/print", {})))

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
