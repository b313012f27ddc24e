import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { ask, office, type TrailRow } from "../api";

/** What something that rows are about is called; undefined where nobody says. */
export type NameOf = (subject: string) => string | undefined;

const hasName = /^(?:person|member|game|vendor):/;

const namesQuery = (subjects: readonly string[]) =>
  queryOptions({
    queryKey: ["subject-names", subjects] as const,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      ask(office.POST("/office/api/trail/names", { body: { subjects: [...subjects] }, signal })),
  });

/** The rows know ids; whoever may know the names of those is told them, all at once. */
export function useNames(rows: readonly TrailRow[]): NameOf {
  const asked = rows.map(({ subject }) => subject).filter((subject) => hasName.test(subject));
  const subjects = [...new Set(asked)].toSorted();
  const { data } = useQuery({ ...namesQuery(subjects), enabled: subjects.length > 0 });
  const names = new Map(data?.map(({ subject, name }) => [subject, name]));
  return (subject) => names.get(subject);
}
