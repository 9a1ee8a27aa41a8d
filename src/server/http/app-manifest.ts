import type {MediaGroup} from '#contract/media/media-tool.ts'
import {modelGroups} from '#contract/models.ts'
import {directionOf, type Locale, type Theme} from '#domain/locale.ts'
import {offeredTools} from '#domain/offered-tools.ts'
import {siteNameOf} from '#domain/site-name.ts'
import type {ServerDeps} from '../deps.ts'
import {mediaTools} from '../media/media-tools.ts'
import {ownImage} from '../platform/addresses.ts'
import {say, type FailureId} from './failure.ts'
import {inEnglish, loadLanguage} from './language.ts'
import {findFace, type Face} from './site-faces.ts'

export const appManifestPath = '/manifest.webmanifest'

/** The background of each theme (src/browser/page.ts). */
const colors: Record<Theme, string> = {dark: '#0a0b0c', light: '#f7f8f9'}

const ownIcons = [
  {src: '/icon-192.png', sizes: '192x192', type: 'image/png'},
  {src: '/icon-512.png', sizes: '512x512', type: 'image/png'},
  {src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable'},
]

const groupNames: readonly (readonly [MediaGroup, FailureId])[] = [
  ['image', 'shortcutImage'],
  ['video', 'shortcutVideo'],
  ['music', 'shortcutMusic'],
]

/**
 * A new chat, and the first tool of each group that the site offers: what a long press of the app's icon lists. Other
 * apps share texts and addresses with the new chat, where the page takes them out of its address (index.html).
 */
async function entrancesOf(features: Face['features'] | undefined, locale: Locale) {
  const intl = await loadLanguage(locale).catch(() => inEnglish)
  const tools = mediaTools.map(({identity}) => identity).sort((one, other) => one.order - other.order)
  const ids = offeredTools(features, [...modelGroups, ...tools.map(({id}) => id)])
  const chat = modelGroups.find((id) => ids.includes(id))
  const media = groupNames.flatMap(([group, words]) => {
    const tool = tools.find((each) => each.group === group && ids.includes(each.id))
    return tool === undefined ? [] : [{name: say(intl, words), url: `/${tool.id}`}]
  })
  if (chat === undefined) return {shortcuts: media}
  const newChat = `/${chat}/conversations`
  return {
    shortcuts: [{name: say(intl, 'shortcutNewChat'), url: newChat}, ...media],
    share_target: {
      action: newChat,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: {title: 'shared-title', text: 'shared-text', url: 'shared-url'},
    },
  }
}

type ManifestRequest = {siteOrigin: string; platform: string; locale: Locale; theme: Theme | undefined}

/** The manifest that browsers install the app by: name and icon of the site, language and theme of the user. */
export async function appManifest(
  deps: Pick<ServerDeps, 'database' | 'now'>,
  {siteOrigin, platform, locale, theme = 'dark'}: ManifestRequest,
): Promise<Response> {
  const site = await findFace(deps, siteOrigin)
  const icon = ownImage(site?.favicon, {platform})
  const name = siteNameOf(site?.title)
  const manifest = {
    id: '/',
    name,
    short_name: name,
    ...(site?.description ? {description: site.description} : {}),
    lang: locale,
    dir: directionOf(locale),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: colors[theme],
    theme_color: colors[theme],
    ...(await entrancesOf(site?.features, locale)),
    icons: [...(icon === undefined ? [] : [{src: icon, sizes: 'any'}]), ...ownIcons],
  }
  return new Response(JSON.stringify(manifest), {
    headers: {'content-type': 'application/manifest+json', 'cache-control': 'no-cache'},
  })
}
