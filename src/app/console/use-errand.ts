import {useLocation} from '@tanstack/react-router'
import {readNeed} from '#domain/order-request.ts'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import {toolOfPath} from '#features/shell/tools.ts'

type Search = Readonly<Record<string, unknown>>

/** The reason why credits are bought, on every page of the way to a paid order and back; each part may be missing. */
export type Errand = {
  /** The page whose credits ran out, a page of this site: where a paid order leads back to. */
  redirect?: string | undefined
  /** Credits that the refused request of that page needs. */
  need?: string | undefined
}

/** As an address names it. */
export const errandOf = ({redirect, need}: Search): Errand => ({
  redirect: safeReturnPath(redirect, location.origin),
  need: readNeed(need),
})

export const useErrand = (): Errand =>
  useLocation({select: ({search}: {search: Search}) => errandOf(search), structuralSharing: true})

/** Name of the chat or tool at a return path. */
export const returnName = (path: string): string | undefined =>
  toolOfPath(new URL(path, location.origin).pathname)?.name
