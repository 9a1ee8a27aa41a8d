import {useLocation} from '@tanstack/react-router'
import {readNeed} from '#domain/order-request.ts'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import {toolOfPath} from '#features/shell/tools.ts'

/** The page whose credits ran out, as the address names it (`?redirect=`): a page of this site, any other is ignored. */
export const useReturnPath = (): string | undefined =>
  useLocation({
    select: ({search}: {search: Readonly<Record<string, unknown>>}) => safeReturnPath(search.redirect, location.origin),
  })

/** Credits that the refused request of that page needs, as the address names them (`?need=`). */
export const useNeed = (): string | undefined =>
  useLocation({select: ({search}: {search: Readonly<Record<string, unknown>>}) => readNeed(search.need)})

/** The query of a page on the way to a paid order and back. */
export const returnSearch = (path: string | undefined): {redirect?: string} =>
  path === undefined ? {} : {redirect: path}

/** Name of the chat or tool at a return path. */
export const returnName = (path: string): string | undefined =>
  toolOfPath(new URL(path, location.origin).pathname)?.name
