import {useMatches, type StaticDataRouteOption} from '@tanstack/react-router'

/** What the deepest route of the address says about itself. */
export const usePage = (): StaticDataRouteOption =>
  useMatches({select: (matches) => matches.at(-1)?.staticData ?? empty})

const empty: StaticDataRouteOption = {}
