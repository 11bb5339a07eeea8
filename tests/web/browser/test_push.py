"""Push in a browser: the button asks for it, and the service worker shows what comes.

There is neither a push service here nor a desktop: the browser's own calls for them are answered by
the test.
"""

import json

from playwright.sync_api import Page, Worker, expect

from tests.support.browser import Visit
from tests.support.site import Site
from tests.support.waiting import until

SUBSCRIBED = """() => {
  const keys = { p256dh: "B".repeat(87), auth: "A".repeat(22) };
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async (options) => {
    window.asked = [options.userVisibleOnly, options.applicationServerKey.length];
    return { toJSON: () => ({ endpoint: "https://push.example.org/browser", keys }) };
  };
}"""
REFUSED = """() => {
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => { throw new DOMException("", "NotAllowedError"); };
}"""
MESSAGE = {
    "title": "Your turn: Ann v Bob",
    "text": "Ann played R4 on Stone 3.",
    "url": "https://elsewhere.example.org/games/abc",
    "tag": "abc",
    "waiting": 2,
}
SHOWN = """() => {
  self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag }) => {
    self.shown.push([title, body, tag]);
  };
  WorkerNavigator.prototype.setAppBadge = async (count) => { self.shown.push(count); };
}"""
"""A browser without a desktop has nowhere to show it."""
OPENED = """worker => new Promise(done => {
  self.clients.openWindow = async page => done(`${page}`);
  const shown = { close() {}, data: { url: "https://elsewhere.example.org/games/abc" } };
  const press = new ExtendableEvent("notificationclick");
  press.notification = shown;
  self.dispatchEvent(press);
})"""


def working(page: Page) -> Worker:
    """The service worker of the page, once it is active."""
    with page.context.expect_event("serviceworker") as begun:
        page.evaluate("navigator.serviceWorker.register('/push-worker.js').then(() => null)")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    return begun.value


def test_a_press_makes_this_browser_a_channel(site: Site, visit: Visit) -> None:
    isla = site.player("Isla")
    page = visit("/account/channels", isla).page
    page.evaluate(SUBSCRIBED)
    page.get_by_role("button", name="Push to this browser").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This browser")
    (channel,) = site.container.channels.all(isla)
    assert (channel.type, channel.leads_to) == ("push", "push.example.org")
    assert channel.target["p256dh"] == "B" * 87


def test_a_refusal_is_told(site: Site, visit: Visit) -> None:
    isla = site.player("Isla")
    page = visit("/account/channels", isla).page
    page.evaluate(REFUSED)
    page.get_by_role("button", name="Push to this browser").click()
    expect(page.get_by_text("Your browser does not allow it.")).to_be_visible()
    assert site.container.channels.all(isla) == []


def test_what_comes_is_shown(site: Site, visit: Visit) -> None:
    page = visit("/account/channels", site.player("Isla"), permissions=["notifications"]).page
    devtools = page.context.new_cdp_session(page)
    registered: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda found: registered.extend(one["registrationId"] for one in found["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    worker = working(page)
    worker.evaluate(SHOWN)
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": site.url, "registrationId": registered[-1], "data": json.dumps(MESSAGE)},
    )
    until(lambda: worker.evaluate("shown.length") == 2)
    notification = [MESSAGE["title"], MESSAGE["text"], MESSAGE["tag"]]
    assert worker.evaluate("shown") == [notification, MESSAGE["waiting"]]


def test_a_press_on_it_opens_the_game_here(site: Site, visit: Visit) -> None:
    page = visit("/account/channels", site.player("Isla")).page
    assert working(page).evaluate(OPENED) == f"{site.url}/games/abc"


def test_without_javascript_the_page_says_so(site: Site, visit: Visit) -> None:
    page = visit("/account/channels", site.player("Isla"), java_script_enabled=False).page
    expect(page.get_by_text("Push to this browser needs JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Push to this browser")).to_be_hidden()
    page.get_by_text("More ways").click()
    page.get_by_text("Webhook", exact=True).click()
    page.get_by_label("Address, beginning with https").fill("https://hooks.example.org/")
    page.get_by_role("button", name="Add Webhook").click()
    expect(page.get_by_text("shown only this once")).to_be_visible()
