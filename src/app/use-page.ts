import {useMatches, type StaticDataRouteOption} from '@tanstack/react-router'

/** Facts of the deepest route of the address; those of "not found" for an unknown address. */
export const usePage = (): StaticDataRouteOption =>
  useMatches({
    select: (matches) =>
      matches.some(({status, _notFound}) => status === 'notFound' || _notFound === true)
        ? notFound
        : (matches.at(-1)?.staticData ?? empty),
  })

const empty: StaticDataRouteOption = {}
const notFound: StaticDataRouteOption = {title: 'index.notFound'}
