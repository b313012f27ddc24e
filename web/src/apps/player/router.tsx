import type { QueryClient } from "@tanstack/react-query";
import {
  Outlet,
  type RouterHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Key, type Namespace, loadMessages } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { centerPaths, labelOf } from "@/features/games/categories";
import { readToken } from "@/lib/api/token";
import { HomeRoute } from "./home-route";
import { PageFault, PageSkeleton } from "./page-states";
import { PopupRoute, readLoginSearch } from "./popup-route";
import { Shell } from "./shell/shell";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The page's name in the window's title. */
    title?: Key;
  }
  interface Register {
    router: ReturnType<typeof createPlayerRouter>;
  }
}

/** A page in a chunk of its own; its messages are loaded along with it. */
function page(load: () => Promise<{ default: () => ReactNode }>, ...messages: Namespace[]) {
  return lazyRouteComponent(async () => {
    const [part] = await Promise.all([loadPart(load), loadPart(() => loadMessages(...messages))]);
    return part;
  });
}

/** A route for members: others log in first, and come back to where they wanted to go. */
function membersOnly({ location }: { location: { href: string } }): void {
  if (readToken() !== null) return;
  throw redirect({ to: "/login", search: { next: location.href }, replace: true });
}

function Root() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: page(() => import("./not-found"), "catalogue"),
});

const home = createRoute({
  getParentRoute: () => root,
  id: "front",
  component: HomeRoute,
});
const homeIndex = createRoute({
  getParentRoute: () => home,
  path: "/",
  staticData: { title: "nav.home" },
  component: Outlet,
});
const login = createRoute({
  getParentRoute: () => home,
  path: "/login",
  staticData: { title: "header.login" },
  validateSearch: readLoginSearch,
  component: () => <PopupRoute name="login" />,
});
const register = createRoute({
  getParentRoute: () => home,
  path: "/register",
  staticData: { title: "header.join" },
  component: () => <PopupRoute name="register" />,
});

const help = createRoute({
  getParentRoute: () => home,
  path: "/help",
  staticData: { title: "nav.help" },
  component: () => <PopupRoute name="help" />,
});

const twoFactor = createRoute({
  getParentRoute: () => root,
  path: "/login/verify",
  staticData: { title: "nav.two_factor" },
  component: page(() => import("@/features/auth/pages/two-factor-page"), "auth"),
});
const security = createRoute({
  getParentRoute: () => root,
  path: "/securityCenter",
  staticData: { title: "nav.security" },
  beforeLoad: membersOnly,
  component: page(() => import("@/features/security/pages/security-page"), "auth", "security"),
});

/** Other addresses of the home page. */
const aliases = (["/index", "/index.html", "/home"] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: "/", replace: true });
    },
  }),
);

const play = createRoute({
  getParentRoute: () => root,
  path: "/play/$gameCode",
  staticData: { title: "nav.rng" },
  // A round that is to be shown again, by its number.
  validateSearch: ({ round }: Record<string, unknown>): { round?: string } =>
    typeof round === "string" ? { round } : {},
  component: page(() => import("@/games/host/game-page"), "games", "fair", "told"),
});
const fairness = createRoute({
  getParentRoute: () => root,
  path: "/fairness",
  staticData: { title: "nav.fairness" },
  component: page(() => import("@/features/fairness/pages/fairness-page"), "fair", "told"),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: "/verify",
  staticData: { title: "nav.verify" },
  component: page(() => import("@/features/fairness/pages/verify-page"), "fair", "told"),
});
const verifyRound = createRoute({
  getParentRoute: () => root,
  path: "/verify/$roundId",
  staticData: { title: "nav.verify" },
  component: page(() => import("@/features/fairness/pages/verify-page"), "fair", "told"),
});
const record = createRoute({
  getParentRoute: () => root,
  path: "/transactionHistory",
  staticData: { title: "nav.record" },
  beforeLoad: membersOnly,
  component: page(() => import("@/features/ledger/pages/record-page"), "ledger"),
});
const proof = createRoute({
  getParentRoute: () => root,
  path: "/proof",
  staticData: { title: "nav.proof" },
  component: page(() => import("@/features/ledger/pages/proof-page"), "ledger"),
});
const housePage = page(() => import("@/features/content/pages/content-page"), "content");
const house = (
  [
    ["/terms", "content.terms"],
    ["/privacy", "content.privacy"],
    ["/responsible", "content.responsible"],
    ["/about", "content.about"],
  ] as const
).map(([path, title]) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: { title },
    component: housePage,
  }),
);
const promotions = createRoute({
  getParentRoute: () => root,
  path: "/promotions",
  staticData: { title: "promo.title" },
  // The kind that is shown.
  validateSearch: ({ type }: Record<string, unknown>): { type?: string } =>
    typeof type === "string" ? { type } : {},
  component: page(() => import("@/features/promotions/pages/promotions-page"), "promotions"),
});
const promotion = createRoute({
  getParentRoute: () => root,
  path: "/promotions/$slug",
  staticData: { title: "promo.title" },
  component: page(() => import("@/features/promotions/pages/promotion-page"), "promotions"),
});
const pointMall = createRoute({
  getParentRoute: () => root,
  path: "/pointMall",
  staticData: { title: "points.title" },
  component: page(() => import("@/features/promotions/pages/point-mall-page"), "seamless"),
});
const seamless = createRoute({
  getParentRoute: () => root,
  path: "/seamless",
  staticData: { title: "seamless.title" },
  component: page(() => import("@/features/wallet/pages/seamless-page"), "seamless"),
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  staticData: { title: "join.title" },
  component: page(() => import("@/features/agents/pages/join-page"), "join", "auth"),
});
const down = createRoute({
  getParentRoute: () => root,
  path: "/down",
  staticData: { title: "down.title" },
  component: page(() => import("@/features/downloads/pages/download-page"), "down"),
});

/** The lotteries; each is told by the query which one is wanted. */
const lotteries = (
  [
    ["/lottery", "later.lottery_page"],
    ["/seaLottery", "later.sea_page"],
    ["/vnLottery", "later.vn_page"],
  ] as const
).map(([path, title]) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: { title },
    beforeLoad: membersOnly,
    validateSearch: ({ gameCode }: Record<string, unknown>): { gameCode?: string } =>
      gameCode === undefined ? {} : { gameCode: String(gameCode) },
    component: page(() => import("./later/lottery-page"), "later", "catalogue"),
  }),
);
const football = createRoute({
  getParentRoute: () => root,
  path: "/fbSports",
  staticData: { title: "later.football_page" },
  component: page(() => import("./later/football-page"), "later", "catalogue"),
});
const agents = createRoute({
  getParentRoute: () => root,
  path: "/agentHome",
  staticData: { title: "agent.page" },
  component: page(() => import("./later/agent-page"), "later", "catalogue", "auth"),
});

const centers = centerPaths.map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: { title: labelOf(path) },
    component: page(() => import("@/features/games/pages/center-page"), "catalogue"),
  }),
);
const search = createRoute({
  getParentRoute: () => root,
  path: "/search",
  staticData: { title: "nav.rng" },
  component: page(() => import("@/features/games/pages/search-page"), "catalogue"),
});
const favorites = createRoute({
  getParentRoute: () => root,
  path: "/favorites",
  staticData: { title: "nav.rng" },
  beforeLoad: membersOnly,
  component: page(() => import("@/features/games/pages/favorites-page"), "catalogue"),
});
const recent = createRoute({
  getParentRoute: () => root,
  path: "/recent",
  staticData: { title: "nav.rng" },
  beforeLoad: membersOnly,
  component: page(() => import("@/features/games/pages/recent-page"), "catalogue"),
});

const routeTree = root.addChildren([
  home.addChildren([homeIndex, login, register, help]),
  twoFactor,
  security,
  ...aliases,
  play,
  fairness,
  verify,
  verifyRound,
  record,
  proof,
  ...house,
  promotions,
  promotion,
  pointMall,
  seamless,
  join,
  down,
  ...lotteries,
  football,
  agents,
  ...centers,
  search,
  favorites,
  recent,
]);

export function createPlayerRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFault,
    defaultPendingMs: 200,
  });
}
