import type api from '../../locales/en/api.json'
import type application from '../../locales/en/application.json'
import type chat from '../../locales/en/chat.json'
import type common from '../../locales/en/common.json'
import type compare from '../../locales/en/compare.json'
import type consolePages from '../../locales/en/console.json'
import type credential from '../../locales/en/credential.json'
import type distribution from '../../locales/en/distribution.json'
import type flow from '../../locales/en/flow.json'
import type index from '../../locales/en/index.json'
import type order from '../../locales/en/order.json'
import type proxy from '../../locales/en/proxy.json'
import type service from '../../locales/en/service.json'
import type share from '../../locales/en/share.json'
import type site from '../../locales/en/site.json'
import type usage from '../../locales/en/usage.json'

/**
 * The translation namespaces (spec §9) with the keys of their English files. Media tools are not listed: their files
 * are found by path. Neither is `user`, whose messages only the server's sign-in pages use (src/tools/locales.mjs).
 */
type EnglishMessages = {
  api: typeof api
  application: typeof application
  chat: typeof chat
  common: typeof common
  compare: typeof compare
  console: typeof consolePages
  credential: typeof credential
  distribution: typeof distribution
  flow: typeof flow
  index: typeof index
  order: typeof order
  proxy: typeof proxy
  service: typeof service
  share: typeof share
  site: typeof site
  usage: typeof usage
}

/** `<namespace>.<key>` of a message that exists in English; anything else does not compile. */
export type MessageId = {
  [Namespace in keyof EnglishMessages]: `${Namespace}.${Extract<keyof EnglishMessages[Namespace], string>}`
}[keyof EnglishMessages]
