import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { useAddress, useGo } from "../address";
import { peopleQuery } from "../api";
import { PageHead } from "../panel";
import { useMay } from "../session";
import { AddPersonDialog } from "./add-person-dialog";
import { PeopleFilter } from "./people-filter";
import { PeopleTable } from "./people-table";
import { PersonDialog } from "./person-dialog";

/** Who works here. */
export default function PeoplePage() {
  const t = useT();
  const go = useGo();
  const address = useAddress();
  const mayWrite = useMay("staff.write");
  const [adds, setAdds] = useState(false);
  const { data: people } = useQuery(peopleQuery);
  const chosen = people?.find(({ id }) => id === address["person"]);
  return (
    <>
      <PageHead title={t("office.people")}>
        {mayWrite && (
          <Button size="sm" variant="main" onClick={() => setAdds(true)}>
            {t("office.person_add")}
          </Button>
        )}
      </PageHead>
      <PeopleFilter />
      <PeopleTable />
      {adds && <AddPersonDialog onClose={() => setAdds(false)} />}
      {chosen && (
        <PersonDialog
          key={chosen.id}
          person={chosen}
          onClose={() => go("/staff", { ...address, person: undefined })}
        />
      )}
    </>
  );
}
