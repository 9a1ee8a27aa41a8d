import {loadChanges} from '#api/chat.ts'
import {savesData, startAppWorker, type AppWorker} from '#browser/app-worker.ts'
import {watchOverlays} from '#browser/awaited-overlays.ts'
import {watchBuild, type BuildWatch} from '#browser/new-build.ts'
import {backgroundNotices} from '#browser/background-notices.ts'
import {followKeyboard} from '#browser/on-screen-keyboard.ts'
import {keepSeenFiles} from '#browser/seen-files.ts'
import {stays, type ConversationRecord} from '#domain/conversation.ts'
import {domainErrors} from '#domain/domain-errors.ts'
import {checkDomainName} from '#domain/domain-name.ts'
import {hasVersions} from '#domain/hidden-versions.ts'
import {defaultLocale} from '#domain/locale.ts'
import {groupOfModel} from '#features/chat/model-catalogue.ts'
import {tools} from '#features/shell/tools.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {loadRows} from '#features/chat/use-conversation-rows.ts'
import type {Log} from '#domain/log.ts'
import type {
  ConversationListActor,
  ConversationListSnapshot,
} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {loadPart, ownScript} from '#ui/load-part.ts'
import {createMessageFormat} from '#ui/message-format.ts'
import type {MessageId} from '#ui/message-id.ts'
import type {MessageValues} from '#ui/text.tsx'
import {retryFirstReads} from './logic/retry-first-reads.ts'
import type {EndedWork} from './logic/ended-work.ts'
import {followEndedWork} from './logic/follow-ended-work.ts'
import type {Root} from './logic/root.ts'
import {untilAnswered} from './logic/until-answered.ts'
import type {MessageStore} from './locale-messages.ts'
import './on-screen-keyboard.css'
import type {AppRouter} from './router.ts'
import {noticesLoad} from './shell/notices-part.ts'
import {unseenCount} from './shell/unseen-count.ts'

export type AfterStart = {
  root: Root
  messages: MessageStore
  router: AppRouter
  chat: ChatPorts
  scriptUrl: (url: string) => string
  prepareKeys: () => Promise<unknown>
  /** As configured; the page already does without one that is wrong. */
  cookieDomain: string | undefined
  log: Log
}

/** Browsers install the app by it; the first load of the page does without. */
function linkManifest() {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  const icon = document.createElement('link')
  icon.rel = 'apple-touch-icon'
  icon.href = '/apple-touch-icon.png'
  document.head.append(link, icon)
}

function reportDomain({cookieDomain, log}: AfterStart): void {
  const code = cookieDomain === undefined ? undefined : checkDomainName(cookieDomain)
  if (code !== undefined) log(domainErrors[code], {code})
}

/** A change of a conversation is refused without a network, and told: its parts are there before it. */
function prepareChanges(): void {
  // their first use asks again for those that failed here
  for (const part of [noticesLoad.loadAhead(), loadPart(loadChanges)]) part.catch(() => undefined)
}

/**
 * Starts the work that waits until the page has been there for a while: the service worker, the keyboard of a phone,
 * files for the time offline, the view of the notices, and notices of ends that nobody saw.
 */
export function afterStart(parts: AfterStart): void {
  linkManifest()
  followKeyboard(window)
  watchOverlays(window, () => parts.chat.notify('index.partWaits'))
  reportDomain(parts)
  void parts.prepareKeys()
  prepareChanges()
  const {root, messages, router, scriptUrl, log} = parts
  retryFirstReads(root, log)
  let worker: AppWorker | undefined
  let build: BuildWatch | undefined
  const onFailure = (error: unknown) => log('The service worker does not work', {error: String(error)})
  const onLookFailure = (error: unknown) => log('New versions are not noticed', {error: String(error)})
  if (import.meta.env.PROD) {
    const onNewBuild = () => void showNewVersion(parts).catch(onLookFailure)
    const entry = new URL(ownScript).pathname
    startAppWorker({
      entry,
      scriptUrl,
      locale: () => messages.get()?.locale ?? defaultLocale,
      untilQuiet: () => untilAnswered(root.actors.conversations()),
      onNewBuild,
      onOpen: (href) => void router.navigate({href}),
      onFailure,
    }).then((own) => {
      worker = own
      if (own?.keepsFiles === true) keepFiles(parts)
      build = own ?? watchBuild({entry, onNewBuild, onFailure: onLookFailure})
    }, onFailure)
  }
  const unseen = createUnseen(parts)
  const look = () => {
    build?.look()
    unseen.look()
  }
  root.actors.environment().on('page.shown', look)
  root.actors.environment().on('connection.restored', (event) => root.actors.notices()?.send(event))
  router.subscribe('onResolved', look)
  followEndedWork(root.actor, root.actors, {
    onFailure: (error) => log('Ends of tasks are not followed', {error: String(error)}),
    onSession: () => {
      unseen.clear()
      worker?.forget()
    },
    onList: (list) => {
      resumeDeletions(parts, list)
      prepareRows(parts, list)
      if (!savesData()) prepareSearch(parts, list)
    },
    onUnread: unseen.setUnread,
    onEnd: (end) => {
      if (isHidden(parts) && backgroundNotices.get()) void notifyOf(parts, worker, end)
      if (isUnseen(parts, end)) unseen.add(end)
    },
  })
}

/** Keeps the files of the signed-in user; while it is not known who that is, nothing changes. */
function keepFiles({root, chat, log}: AfterStart) {
  const {ownFiles} = chat.media
  const seenFiles = keepSeenFiles({
    isOwn: (url) => ownFiles.some((base) => url.startsWith(base)),
    onFailure: (error) => log('Files that were seen are not kept', {error: String(error)}),
  })
  const follow = () => {
    const auth = root.actors.auth()?.getSnapshot()
    const userId = auth && selectUser(auth)?.id
    if (userId !== undefined || auth?.matches('signedOut') === true) seenFiles.follow(userId)
  }
  follow()
  root.actor.subscribe(follow)
}

const groupOf = ({root}: AfterStart, {model}: ConversationRecord) => {
  return groupOfModel(model, selectServedModels(root.actors.provisioning()?.getSnapshot()))
}

/** Deletes messages whose deletion by an earlier page was not confirmed, also if nobody opens their conversation. */
function resumeDeletions(parts: AfterStart, list: ConversationListActor) {
  const {chat, log} = parts
  const resume = (snapshot: ConversationListSnapshot) => {
    if (!snapshot.matches('success')) return
    reading.unsubscribe()
    for (const record of snapshot.context.items.filter(({messages}) => !messages.every(stays))) {
      chat.openChanges({list, conversation: record.id ?? record.key}).catch((error: unknown) => {
        log('Deleted messages wait until their conversation is opened', {error: String(error)})
      })
    }
  }
  const reading = list.subscribe(resume)
  resume(list.getSnapshot())
}

/**
 * Loads the view of the list before a drawer shows it: without a service worker it would not come once the network is
 * gone. An empty list gets from it what the first screen does without.
 */
function prepareRows({chat, log}: AfterStart, list: ConversationListActor) {
  const prepare = (snapshot: ConversationListSnapshot) => {
    if (snapshot.context.items.length === 0 && !snapshot.matches('success')) return
    reading.unsubscribe()
    loadRows(chat.threadWords).catch((error: unknown) => {
      log('The list of conversations is loaded when it is opened', {error: String(error)})
    })
  }
  const reading = list.subscribe(prepare)
  prepare(list.getSnapshot())
}

/** The search reads what no path here shows, once the list is there, so that it needs no network when it is used. */
function prepareSearch({chat, log}: AfterStart, list: ConversationListActor) {
  const prepare = (snapshot: ConversationListSnapshot) => {
    if (!snapshot.matches('success')) return
    reading.unsubscribe()
    if (!snapshot.context.items.some(hasVersions)) return
    chat.startSearch(list).catch((error: unknown) => {
      log('Versions are read with the first search', {error: String(error)})
    })
  }
  const reading = list.subscribe(prepare)
  prepare(list.getSnapshot())
}

/**
 * Ends that the user did not see: of tasks of this page while it was hidden, and unread answers of other conversations.
 */
function createUnseen(parts: AfterStart) {
  let ends: readonly EndedWork[] = []
  let unread = 0
  const set = (next: readonly EndedWork[]) => {
    ends = next
    unseenCount.set(ends.length + unread)
  }
  return {
    clear: () => {
      unread = 0
      set([])
    },
    add: (end: EndedWork) => set([...ends.filter(({tag}) => tag !== end.tag), end]),
    setUnread: (count: number) => {
      unread = count
      set(ends)
    },
    /** A visible page shows its conversation, and the tasks of its tool. */
    look: () => {
      if (!isHidden(parts)) set(ends.filter((end) => end.kind === 'task' && end.tool !== toolOnScreen(parts)))
    },
  }
}

/** Milliseconds: it waits for the user, and is no hurry. */
const noticeDuration = 24 * 3_600_000

async function showNewVersion({root, messages}: AfterStart): Promise<void> {
  await messages.loadPart('commands')
  const notice = {id: 'new-version', kind: 'info', textId: 'index.settingVersion', reloads: true} as const
  root.actors.notices()?.send({type: 'notice.show', notice: {...notice, duration: noticeDuration}})
}

const isHidden = ({root}: AfterStart) => root.actors.environment().getSnapshot().matches({page: 'hidden'})
const toolOnScreen = ({router}: Pick<AfterStart, 'router'>) => router.state.location.pathname.split('/')[1]

/** Answers that ended off the screen are unread: the list of conversations counts them. */
const isUnseen = (parts: AfterStart, end: EndedWork) =>
  end.kind === 'answer' ? end.isOnScreen && isHidden(parts) : isHidden(parts) || toolOnScreen(parts) !== end.tool

async function notifyOf(parts: AfterStart, worker: AppWorker | undefined, end: EndedWork): Promise<void> {
  const {messages, chat} = parts
  if (worker === undefined || Notification.permission !== 'granted') return
  await messages.loadPart('commands')
  const language = messages.get()
  const format = createMessageFormat({
    locale: language?.locale ?? defaultLocale,
    messages: language?.messages ?? {},
    onError: (error) => console.error(error),
  })
  // as: a sentence without element values is one string
  const text = format as (id: MessageId, values?: MessageValues) => string
  if (end.kind === 'task') {
    const tool = tools.find(({id}) => id === end.tool)?.name ?? end.tool
    const body = text(end.isFailed ? 'index.taskFailed' : 'index.taskDone', {tool})
    return worker.notify({tag: end.tag, title: end.title || tool, body, href: `/${end.tool}#${end.id}`})
  }
  const {record, isFailed, tag, title} = end
  worker.notify({
    tag,
    title: title || text('chat.untitled'),
    body: text(isFailed ? 'index.settingNotifyFailed' : 'index.settingNotifyReady'),
    href: chat.navigation.href({group: groupOf(parts, record), conversation: record.id ?? record.key}),
  })
}
