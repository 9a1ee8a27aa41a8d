import {useMatches, type StaticDataRouteOption} from '@tanstack/react-router'

/** What the deepest route of the address says about itself; of an address that nothing has, that it was not found. */
export const usePage = (): StaticDataRouteOption =>
  useMatches({
    select: (matches) =>
      matches.some(({status, _notFound}) => status === 'notFound' || _notFound === true)
        ? notFound
        : (matches.at(-1)?.staticData ?? empty),
  })

const empty: StaticDataRouteOption = {}
const notFound: StaticDataRouteOption = {title: 'index.notFound'}
