import {directionOf, type Locale, type Theme} from '#domain/locale.ts'
import {siteNameOf} from '#domain/site-name.ts'
import type {ServerDeps} from '../deps.ts'
import {ownImage} from '../platform/addresses.ts'
import {findFace} from './site-faces.ts'

export const appManifestPath = '/manifest.webmanifest'

/** The background of each theme (src/browser/page.ts). */
const colors: Record<Theme, string> = {dark: '#0a0b0c', light: '#f7f8f9'}

const ownIcons = [
  {src: '/icon-192.png', sizes: '192x192', type: 'image/png'},
  {src: '/icon-512.png', sizes: '512x512', type: 'image/png'},
  {src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable'},
]

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
    icons: [...(icon === undefined ? [] : [{src: icon, sizes: 'any'}]), ...ownIcons],
  }
  return new Response(JSON.stringify(manifest), {
    headers: {'content-type': 'application/manifest+json', 'cache-control': 'no-cache'},
  })
}
