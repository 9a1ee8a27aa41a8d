import type api from '../../locales/en/api.json'
import type application from '../../locales/en/application.json'
import type chat from '../../locales/en/chat.json'
import type common from '../../locales/en/common.json'
import type consolePages from '../../locales/en/console.json'
import type credential from '../../locales/en/credential.json'
import type distribution from '../../locales/en/distribution.json'
import type flux from '../../locales/en/flux.json'
import type hailuo from '../../locales/en/hailuo.json'
import type headshots from '../../locales/en/headshots.json'
import type index from '../../locales/en/index.json'
import type kling from '../../locales/en/kling.json'
import type luma from '../../locales/en/luma.json'
import type midjourney from '../../locales/en/midjourney.json'
import type nanobanana from '../../locales/en/nanobanana.json'
import type order from '../../locales/en/order.json'
import type pika from '../../locales/en/pika.json'
import type pixverse from '../../locales/en/pixverse.json'
import type proxy from '../../locales/en/proxy.json'
import type qrart from '../../locales/en/qrart.json'
import type service from '../../locales/en/service.json'
import type site from '../../locales/en/site.json'
import type sora from '../../locales/en/sora.json'
import type suno from '../../locales/en/suno.json'
import type usage from '../../locales/en/usage.json'
import type veo from '../../locales/en/veo.json'

/**
 * The translation namespaces (spec §9) with the keys their English files hold. Without `user`: these are the messages of
 * the server's sign-in pages and stand in no file of the client (src/tools/locales.mjs).
 */
type EnglishMessages = {
  api: typeof api
  application: typeof application
  chat: typeof chat
  common: typeof common
  console: typeof consolePages
  credential: typeof credential
  distribution: typeof distribution
  flux: typeof flux
  hailuo: typeof hailuo
  headshots: typeof headshots
  index: typeof index
  kling: typeof kling
  luma: typeof luma
  midjourney: typeof midjourney
  nanobanana: typeof nanobanana
  order: typeof order
  pika: typeof pika
  pixverse: typeof pixverse
  proxy: typeof proxy
  qrart: typeof qrart
  service: typeof service
  site: typeof site
  sora: typeof sora
  suno: typeof suno
  usage: typeof usage
  veo: typeof veo
}

/** `<namespace>.<key>` of a message that exists in English; anything else does not compile. */
export type MessageId = {
  [Namespace in keyof EnglishMessages]: `${Namespace}.${Extract<keyof EnglishMessages[Namespace], string>}`
}[keyof EnglishMessages]
