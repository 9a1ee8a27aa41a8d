import type {IntlShape} from '@formatjs/intl'
import type {LoginTarget} from '../login-request.ts'
import {html, jsonData, trusted, type Html} from './html.ts'
import {directionOf} from '#domain/locale.ts'
import {siteNameOf} from '#domain/site-name.ts'
import {languageNames} from '../../http/language.ts'
import pageScript from './page-script.mjs?raw'
import {accentStyle, pageStyle} from './page-style.ts'
import {faviconAddress, languageIcon, mark, moonIcon, scene, sunIcon} from './images.ts'

export type SiteFace = {
  title: string | undefined
  accent: {hue: number; chroma: number} | null | undefined
  /** `origins`: where browsers get it. */
  logo: {address: string; origins: readonly string[]} | undefined
}

/** The parts that every sign-in page is drawn from. Nothing in it is markup yet. */
export type PageContext = {
  intl: IntlShape
  theme: 'dark' | 'light' | undefined
  nonce: string
  site: SiteFace
  /** The page's own query, kept by its links and forms. */
  query: URLSearchParams
  target: LoginTarget
  /** Address of the sign-in page for another device. */
  qrLink: string
  hub: string
}

/** Message of the `user` namespace. */
export const text = (
  {intl}: Pick<PageContext, 'intl'>,
  key: string,
  values?: Record<string, string | number>,
): string => intl.formatMessage({id: `user.${key}`}, values)

export const siteName = ({site}: Pick<PageContext, 'site'>): string => siteNameOf(site.title)

/** Address of a page beside this one with the same query, changed by `changes`. */
export function address(
  {query}: Pick<PageContext, 'query'>,
  page: 'login' | 'register' | '',
  changes: Record<string, string> = {},
): string {
  const next = new URLSearchParams(query)
  // why a user is at the sign-in is not why they register
  if (page === 'register') next.delete('reason')
  for (const [key, value] of Object.entries(changes)) next.set(key, value)
  const search = next.toString()
  return page === '' || search !== '' ? `${page}?${search}` : page
}

const footer = (page: PageContext): Html => {
  const {locale} = page.intl
  return html`<footer class="foot">
    <details>
      <summary class="tool" aria-label="${`${text(page, 'language')}: ${languageNames[locale] ?? locale}`}">
        ${languageIcon}<span lang="${locale}">${languageNames[locale]}</span>
      </summary>
      <ul class="menu">
        ${Object.entries(languageNames).map(
          ([language, name]) =>
            html`<li>
              <a
                href="${address(page, '', {lang: language})}"
                lang="${language}"
                hreflang="${language}"
                ${language === locale && html` aria-current="true"`}
                >${name}</a
              >
            </li>`,
        )}
      </ul>
    </details>
    ${
      page.target.kind !== 'embedded' &&
      html`<span>
        <a
          class="tool to-dark"
          href="${address(page, '', {theme: 'dark'})}"
          aria-label="${text(page, 'useDark')}"
          title="${text(page, 'useDark')}"
          >${moonIcon}</a
        >
        <a
          class="tool to-light"
          href="${address(page, '', {theme: 'light'})}"
          aria-label="${text(page, 'useLight')}"
          title="${text(page, 'useLight')}"
          >${sunIcon}</a
        >
      </span>`
    }
  </footer>`
}

const art = (page: PageContext): Html =>
  html`<aside class="art">
    ${scene}
    <p><b>${text(page, 'tagline')}</b><span>${text(page, 'taglineDetail')}</span></p>
  </aside>`

/**
 * The whole document. Works without its script in the redirect flow; asks nothing of any other address. `data` is for
 * the script of the embedded form.
 */
export function document(
  page: PageContext,
  {title, wide = false, data = {}, body}: {title: string; wide?: boolean; data?: object; body: Html},
): string {
  const {locale} = page.intl
  const {target, theme, nonce} = page
  const isEmbedded = target.kind === 'embedded'
  const letter = page.site.title && [...page.site.title.trim()][0]?.toLocaleUpperCase(locale)
  const script = {
    origins: isEmbedded ? target.origins : [],
    state: page.query.get('state') ?? undefined,
    qrLink: page.qrLink,
    ...data,
  }
  const className = [isEmbedded && 'embedded'].filter(Boolean).join(' ')
  return html`<!doctype html>
    <html
      lang="${locale}"
      dir="${directionOf(locale)}"
      ${theme && html` data-theme="${theme}"`}${className !== '' && html` class="${className}"`}
    >
      <head>
        <meta charset="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content, viewport-fit=cover"
        />
        <meta name="robots" content="noindex" />
        <title>${title === siteName(page) ? title : `${title} · ${siteName(page)}`}</title>
        <link rel="icon" href="${faviconAddress}" />
        <style nonce="${nonce}">
          ${trusted(pageStyle)} ${trusted(accentStyle(page.site.accent))}
        </style>
      </head>
      <body>
        <div class="${wide && !isEmbedded ? 'page wide' : 'page'}">
          <div class="side">
            ${
              !isEmbedded &&
              html`<header class="brand">
                ${page.site.logo ? html`<img src="${page.site.logo.address}" alt="" width="32" height="32" />` : mark(letter)}<span
                  ><bdi>${siteName(page)}</bdi></span
                >
              </header>`
            }
            <main>${body}</main>
            ${footer(page)}
          </div>
          ${wide && !isEmbedded && art(page)}
        </div>
        <script type="application/json" id="page">
          ${jsonData(script)}
        </script>
        <script type="module" nonce="${nonce}">
          ${trusted(pageScript)}
        </script>
      </body>
    </html> `.text
}
