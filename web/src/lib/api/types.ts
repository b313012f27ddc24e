import type { components } from "./schema";

type Schemas = components["schemas"];

export type Balance = Schemas["Balance"];
export type BookEvent = Schemas["RoundEvent"];
export type ChainHead = Schemas["ChainHead"];
export type DailyRoot = Schemas["RootView"];
export type ErrorCode = Schemas["ErrorCode"];
export type FreePlay = Schemas["FreePlay"];
export type GameItem = Schemas["GameItem"];
export type Launch = Schemas["Launch"];
export type Login = Schemas["Login"];
export type LoginView = Schemas["LoginView"];
export type Menu = Schemas["Menu"];
export type MemberInfo = Schemas["MemberInfo"];
export type PermissionInfo = Schemas["PermissionInfo"];
export type RegisterRule = Schemas["RegisterRule"];
export type Registration = Schemas["Registration"];
export type Rotation = Schemas["Rotation"];
export type Round = Schemas["Round"];
export type RoundPage = Schemas["RoundPage"];
export type SealKey = Schemas["SealKey"];
export type SeedPair = Schemas["SeedPair"];
export type TransferPage = Schemas["TransferPage"];
export type WinnerEntry = Schemas["WinnerEntry"];
