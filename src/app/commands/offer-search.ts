import {offerCommands} from '#browser/commands.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import {enabledTools, toolOfPath} from '#features/shell/tools.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {createOnce} from '../logic/app-actors.ts'
import type {Root} from '../logic/root.ts'
import type {AppRouter} from '../router.ts'
import {showSearch} from './show-search.ts'

type Pages = {pathname: () => string; go: (href: string) => Promise<unknown>}

/** A key that goes to the page: characters for the field that is to come do not get so far. */
const isOtherWork = ({key, repeat}: KeyboardEvent) => !repeat && !modifiers.test(key)
const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/

/**
 * The search of the list has keys wherever the user is, as long as the list has something to search and the site has a chat that
 * shows it. A press before the list is read waits for it, until the user does something else.
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
  let press: AbortController | undefined
  const endPress = () => {
    press?.abort()
    press = undefined
  }
  const hasItems = () => selectItems(list.getSnapshot()).length > 0
  const isUnread = () => ['none', 'request'].includes(selectStatus(list.getSnapshot()))
  const start = () => {
    endPress()
    if (hasItems()) return searchList()
    press = new AbortController()
    const options = {capture: true, signal: press.signal}
    addEventListener('pointerdown', endPress, options)
    addEventListener('keydown', (event) => void (isOtherWork(event) && endPress()), options)
  }
  const withdraw = () => {
    end?.()
    end = undefined
    // nothing will show the field
    if (press !== undefined) takeTypedAhead()
    endPress()
  }
  const look = () => {
    if (chatOfSite() === undefined || !(hasItems() || isUnread())) return withdraw()
    end ??= offerCommands({searchList: start})
    if (press !== undefined && hasItems()) start()
  }
  const listening = site?.subscribe(look)
  const leave = () => {
    listening?.unsubscribe()
    withdraw()
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
