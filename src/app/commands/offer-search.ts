import {offerCommands} from '#browser/commands.ts'
import {takeTypedAhead} from '#browser/typed-ahead.ts'
import {enabledTools, toolOfPath} from '#features/shell/tools.ts'
import {selectIsSignedIn} from '#machines/auth/auth.selectors.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems, selectStatus} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {createOnce} from '../logic/app-actors.ts'
import type {Root} from '../logic/root.ts'
import {showSearch} from './show-list.ts'

type Pages = {pathname: () => string; go: (href: string) => Promise<unknown>}

/** A key that goes to the page: characters for the field that is to come do not get so far. */
const isOtherWork = ({key, repeat}: KeyboardEvent) => !repeat && !modifiers.test(key)
const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/

/** A press of the keys that waits for a list to search, until the user does something else. */
function createPress() {
  let wait: AbortController | undefined
  const end = () => {
    wait?.abort()
    wait = undefined
  }
  return {
    isWaiting: () => wait !== undefined,
    begin() {
      end()
      wait = new AbortController()
      const options = {capture: true, signal: wait.signal}
      addEventListener('pointerdown', end, options)
      addEventListener('keydown', (event) => void (isOtherWork(event) && end()), options)
    },
    end,
    /** Nothing will show the field. */
    drop() {
      if (wait !== undefined) takeTypedAhead()
      end()
    },
  }
}

/** The first chat of a site, as far as it is known. */
function chatOf(site: SiteActor | undefined) {
  const snapshot = site?.getSnapshot()
  return enabledTools(snapshot && selectSite(snapshot)?.features).find(({group}) => group === 'chat')
}

/**
 * The search of the list has keys wherever the user is, as long as the list has something to search and the site has a
 * chat that shows it. A press before the list is read waits for it, until the user does something else.
 */
export function offerSearch(
  list: ConversationListActor,
  site: SiteActor | undefined,
  {pathname, go}: Pages,
  press = createPress(),
): void {
  const searchList = () => {
    const chat = chatOf(site)
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
  const hasItems = () => selectItems(list.getSnapshot()).length > 0
  const isUnread = () => ['none', 'request'].includes(selectStatus(list.getSnapshot()))
  const start = () => {
    if (!hasItems()) return press.begin()
    press.end()
    searchList()
  }
  const withdraw = () => {
    end?.()
    end = undefined
    press.drop()
  }
  const look = () => {
    if (chatOf(site) === undefined || !(hasItems() || isUnread())) return withdraw()
    end ??= offerCommands({searchList: start})
    if (press.isWaiting() && hasItems()) start()
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

/**
 * Offers the search in each session of the page, from now on; once for each page, however often it is asked for. A
 * press while a session is expected waits for its list.
 */
export function offerSearches({actor, actors}: Pick<Root, 'actor' | 'actors'>, pages: Pages): void {
  once(actor, () => {
    const press = createPress()
    let end: (() => void) | undefined
    const isExpected = () => {
      const auth = actors.auth()
      return auth !== undefined && selectIsSignedIn(auth.getSnapshot())
    }
    const look = () => {
      const list = actors.conversations()
      if (list === undefined && isExpected() && chatOf(actors.site()) !== undefined) {
        end ??= offerCommands({searchList: () => press.begin()})
        return
      }
      end?.()
      end = undefined
      if (list === undefined) press.drop()
      once(list, (conversations) => offerSearch(conversations, actors.site(), pages, press))
    }
    const lookAtAll = () => {
      once(actors.auth(), (auth) => auth.subscribe(look))
      once(actors.session(), (session) => session.subscribe(look))
      look()
    }
    actor.subscribe(lookAtAll)
    lookAtAll()
  })
}
