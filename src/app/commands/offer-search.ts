import {offerCommands} from '#browser/commands.ts'
import {enabledTools, toolOfPath} from '#features/shell/tools.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {createOnce} from '../logic/app-actors.ts'
import type {Root} from '../logic/root.ts'
import type {AppRouter} from '../router.ts'
import {showSearch} from './show-search.ts'

type Pages = {pathname: () => string; go: (href: string) => Promise<unknown>}

/**
 * The search of the list has keys wherever the user is, as long as the list has something to search and the site has a chat that
 * shows it.
 */
export function offerSearch(list: ConversationListActor, site: SiteActor | undefined, {pathname, go}: Pages): void {
  const chatOfSite = () => {
    const snapshot = site?.getSnapshot()
    return enabledTools(snapshot && selectSite(snapshot)?.features).find(({group}) => group === 'chat')
  }
  const searchList = () => {
    const chat = chatOfSite()
    if (chat === undefined) return
    const isHere = pathname() === '/' || toolOfPath(pathname())?.group === 'chat'
    void showSearch({
      conversations: list,
      toChat: async () => {
        if (!isHere) await go(chat.path)
      },
    })
  }
  let end: (() => void) | undefined
  const look = () => {
    if (list.getSnapshot().context.items.length > 0 && chatOfSite() !== undefined)
      return void (end ??= offerCommands({searchList}))
    end?.()
    end = undefined
  }
  const listening = site?.subscribe(look)
  const leave = () => {
    listening?.unsubscribe()
    end?.()
  }
  list.subscribe({next: look, complete: leave, error: leave})
  look()
}

const once = createOnce()

/** Offers the search in each session of the page, from now on; once for each page, however often it is asked for. */
export function offerSearches({actor, actors}: Pick<Root, 'actor' | 'actors'>, router: AppRouter): void {
  const pages = {
    pathname: () => router.state.location.pathname,
    go: (href: string) => router.navigate({href}),
  }
  once(actor, () => {
    const look = () =>
      once(actors.session(), (session) => {
        const lookBelow = () => once(actors.conversations(), (list) => offerSearch(list, actors.site(), pages))
        lookBelow()
        session.subscribe(lookBelow)
      })
    look()
    actor.subscribe(look)
  })
}
