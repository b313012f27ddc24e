import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Namespace, loadMessages } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { type OfficePath, readKept, readSearch, writeSearch } from "./address";
import { Gate } from "./gate";
import { NotFound, PageFault, PageSkeleton } from "./page-states";

const root = createRootRoute({
  component: Gate,
  notFoundComponent: NotFound,
  beforeLoad: readKept,
});

/** A page in a chunk of its own. */
function page(path: OfficePath, load: () => Promise<{ default: () => ReactNode }>) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => loadPart(load)),
  });
}

/** A page whose sentences have a file of their own. */
async function withWords<T>(load: Promise<T>, namespace: Namespace): Promise<T> {
  const [page] = await Promise.all([load, loadMessages(namespace)]);
  return page;
}

const routeTree = root.addChildren([
  page("/", () => import("./desk/desk-page")),
  page("/staff", () => import("./people/people-page")),
  page("/roles", () => import("./roles/roles-page")),
  page("/trail", async () => {
    await loadMessages("settings", "auth", "offer", "office-content");
    return import("./trail/trail-page");
  }),
  page("/settings", async () => {
    await loadMessages("settings", "auth");
    return import("./settings/settings-page");
  }),
  page("/approvals", () => withWords(import("./approvals/approvals-page"), "service")),
  page("/service", () => withWords(import("./service/service-page"), "service")),
  page("/members", async () => {
    await loadMessages("members");
    return import("./members/members-page");
  }),
  page("/members/$id", async () => {
    await loadMessages("members", "ledger");
    return import("./members/member-page");
  }),
  page("/rounds/$id", async () => {
    await loadMessages("members", "ledger", "fair", "told");
    return import("./rounds/round-page");
  }),
  page("/content", async () => {
    await loadMessages("office-content", "settings");
    return import("./content/content-page");
  }),
  page("/feedback", () => withWords(import("./inbox/feedback-page"), "office-inbox")),
  page("/affiliates", () => withWords(import("./inbox/affiliates-page"), "office-inbox")),
  page("/games", () => withWords(import("./games/games-page"), "offer")),
]);

export function createOfficeRouter() {
  return createRouter({
    routeTree,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFault,
    defaultPendingMs: 200,
  });
}
