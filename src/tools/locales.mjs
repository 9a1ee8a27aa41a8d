import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {readIdentities} from './media-tools.mjs'

export const localesFolder = fileURLToPath(new URL('../../locales', import.meta.url))

/** The interface languages: a folder each. English is the fallback of every message. */
export const localeNames = readdirSync(localesFolder)

/**
 * One language as a flat map `namespace.key` → ICU text, as its files hold it (no fallback).
 * @param {string} locale
 * @returns {Record<string, string>}
 */
export function readLocale(locale) {
  const folder = join(localesFolder, locale)
  /** @type {Record<string, string>} */
  const messages = {}
  if (!existsSync(folder)) return messages
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const namespace = file.slice(0, -'.json'.length)
    /** @type {Record<string, {message: string}>} */
    const entries = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const [key, entry] of Object.entries(entries)) messages[`${namespace}.${key}`] = entry.message
  }
  return messages
}

/**
 * Messages of the server, which `MessageId` (src/ui/message-id.ts) does not know: its refusals, the sign-in, the terms
 * of use, the simulated payment.
 * @param {string} namespace
 * @param {string} key
 */
export const isServerMessage = (namespace, key) =>
  namespace === 'failure' ||
  namespace === 'user' ||
  (namespace === 'site' && key.startsWith('terms')) ||
  (namespace === 'order' && key.startsWith('sandbox'))

/**
 * Messages of single screens are files of their own, which the first screen of a chat does not load. So are those of
 * each media tool (docs/decisions/0010): a screen loads the messages of one tool alone.
 */
export const laterParts = ['media', 'account', 'console', 'thread', 'commands']

/** Messages of the console and the referral programme. */
const consoleNamespaces = new Set(['console', 'credential', 'distribution', 'order', 'usage'])

/** Messages of `application` in its list and on pages of the console alone. */
const applicationKeys = new Set([
  ...['general', 'usage', 'period', 'expires', 'never', 'remaining', 'unitCredits', 'seeUsage', 'loadFailed'],
])

/** Messages of `share` on the page for readers, which shows a thread; the others are for the owner. */
const readerKeys = new Set(['readerNote', 'readFailed', 'missing', 'missingHelp', 'withheld'])

/** Messages of `chat` that a thread, the model's menu or the list's rows show alone: an empty chat shows none. */
const threadKeys = new Set([
  ...[
    'thread',
    'you',
    'assistant',
    'pending',
    'sentOnline',
    'reconnecting',
    'answerStarted',
    'answerReady',
    'thinking',
    'thinkingFor',
    'thoughts',
    'thoughtsFor',
  ],
  ...['stopping', 'emptyAnswer', 'occupied', 'serverLate'],
  ...[
    'stopped',
    'stopUnconfirmed',
    'truncated',
    'interrupted',
    'continue',
    'continuePrompt',
    'regenerate',
    'answerQuestion',
    'addCredits',
    'creditsShort',
    'sandbox',
  ],
  ...[
    'edit',
    'editLabel',
    'editNote',
    'editEmpty',
    'copyMessage',
    'copyLink',
    'messageMissing',
    'missing',
    'missingConversation',
    'notOnDevice',
    'notOnDeviceHelp',
    'copyMarkdown',
    'copyText',
    'copyTable',
    'saveCode',
    'readAloud',
    'stopReading',
    'whatHappened',
    'noVoice',
    'jumpToLatest',
    'showAll',
    'showLess',
    'code',
    'wrapLines',
    'taskDone',
    'taskOpen',
  ],
  ...['image', 'loadImage', 'openImage', 'imageFailed', 'file', 'fileAddress', 'localModels', 'unavailableModels'],
  ...['takesFiles', 'takesImages'],
  ...[
    'listKept',
    'listStale',
    'labelGone',
    'today',
    'yesterday',
    'thisWeek',
    'earlier',
    'unread',
    'answering',
    'rename',
    'renameLabel',
  ],
  // what becomes of a conversation that has a row
  ...[
    'renameFailed',
    'markFailed',
    'deleteFailed',
    'restoreFailed',
    'retryFailed',
    'conversationDeleted',
    'deletedElsewhere',
  ],
  ...['remove', 'removeQuestion', 'rowActions', 'share', 'missing', 'missingConversation', 'pinned', 'pin', 'unpin'],
  ...[
    'versions',
    'versionPlace',
    'versionAlone',
    'versionsWait',
    'editWaits',
    'previousVersion',
    'nextVersion',
    'answerWith',
    'modelsInBranch',
    'branchOpening',
    'branchLost',
    'saveText',
    'saveAndAsk',
    'editKeeps',
    'editKept',
    'originalDeleted',
    'questionDeleted',
  ],
  ...['messageActions', 'branch', 'branchTitle', 'deleteMessage', 'messageDeleted', 'changeFailed', 'editRejected'],
  // the composer's files and settings, which come with the code of threads
  ...[
    'removeFile',
    'retryFile',
    'fileLost',
    'uploadingElsewhere',
    'uploading',
    'ready',
    'uploadTooLarge',
    'fileTooLarge',
    'textTooLong',
    'filesTooLarge',
    'filesUnsupported',
    'imagesOnly',
    'useModel',
    'useModelInNew',
  ],
  ...[
    'tooManyFiles',
    'filesLeftOut',
    'fileEmpty',
    'folder',
    'pasteAsText',
    'toSend',
    'toStop',
    'dropHere',
    'waitsForUploads',
    'saveWaitsForUploads',
    'uploadedUnsent',
    'uploadedUnsaved',
    'filesNeedText',
    'fileCount',
  ],
  ...['uploadFailed', 'filesFailed', 'filesRefused', 'missingModel', 'unreadFiles'],
])

/** Reads the words about a tool that another tool's screen shows: its line, and what it takes from others. */
export function readTools() {
  /** @type {Map<string, Set<string>>} */
  const tools = new Map()
  for (const {id, inputs} of readIdentities())
    tools.set(id, new Set(['line', ...inputs.map((/** @type {{label: string}} */ {label}) => label)]))
  return tools
}

/**
 * The file of a language that holds a message: `first`, one of the later parts, or a media tool.
 * @param {string} namespace
 * @param {string} key
 * @param {Map<string, Set<string>>} tools
 */
export function partOf(namespace, key, tools) {
  const sharedKeys = tools.get(namespace)
  if (sharedKeys !== undefined) return sharedKeys.has(key) ? 'media' : namespace
  // a notice about a task may stand on any screen
  if (
    namespace === 'common' &&
    /^(media[A-Z]|(creditAmount|details|copyFailed)$)/.test(key) &&
    key !== 'mediaLoadFailed'
  )
    return 'media'
  if (namespace === 'index' && /^task(Removed|RemoveFailed|Gone)/.test(key)) return 'media'
  if (namespace === 'api' && key === 'no_code') return 'media'
  // of the palette, the keys and the settings; the profile page has some of them too
  if (namespace === 'index' && /^(command|shortcut|setting|theme|language)(?!s$)|^profileAppearance$/.test(key))
    return 'commands'
  // with what the page says that cannot start: it shows instead of the chat
  if (
    namespace === 'index' &&
    /^(profile[A-Z]|config[A-Z]|badgeTest$|auth(Go$|RedirectingHelp|Loop|Failed|Ended)|qr[A-Z]|copyLink$)/.test(key)
  )
    return 'account'
  // of the dialog in which a new user begins
  if (namespace === 'application' && /^start[A-Z]/.test(key)) return 'account'
  if (namespace === 'site') return 'account'
  // what finds commands in the palette, which asks for them itself (src/app/english-words.ts)
  if (namespace === 'words') return 'words'
  if (namespace === 'flow') return 'account'
  // a comparison shows threads, so its words come with theirs
  if (namespace === 'compare' && key !== 'title') return 'thread'
  if (namespace === 'share') return readerKeys.has(key) ? 'thread' : 'account'
  // of the list that the balance opens, and of the console
  if (namespace === 'application' && applicationKeys.has(key)) return 'console'
  // a code stands in dialogs of the console, and in the login dialog
  if (consoleNamespaces.has(namespace) || (namespace === 'common' && /^qr[A-Z]/.test(key))) return 'console'
  if (
    namespace === 'chat' &&
    (threadKeys.has(key) ||
      /^((model|search|several|label|archive|import|export)[A-Z]|details|find|outline|threadMenu|followUp|sendKey|prompts?($|[A-Z])|instructions)/.test(
        key,
      ))
  )
    return 'thread'
  return 'first'
}
