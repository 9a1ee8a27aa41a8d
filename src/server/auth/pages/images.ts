import {html, type Html} from './html.ts'

const icon = (paths: Html, className = 'i') =>
  html`<svg class="${className}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`

export const alertIcon = icon(html`<circle cx="12" cy="12" r="9" /><path d="M12 7.5v5.2M12 16.2v.1" />`)
export const infoIcon = icon(html`<circle cx="12" cy="12" r="9" /><path d="M12 11v5.2M12 7.8v.1" />`)
export const checkIcon = icon(html`<path d="m5 12.5 4.6 4.6L19 7.5" />`, 'i l')
export const phoneIcon = icon(html`<rect x="7" y="3" width="10" height="18" rx="2.5" /><path d="M11 17.8h2" />`)
export const languageIcon = icon(
  html`<circle cx="12" cy="12" r="9" /><path
      d="M3 12h18M12 3c2.6 2.7 3.9 5.7 3.9 9s-1.3 6.3-3.9 9c-2.6-2.7-3.9-5.7-3.9-9S9.4 5.7 12 3Z"
    />`,
)
export const moonIcon = icon(html`<path d="M20 14.2A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.2Z" />`)
export const sunIcon = icon(
  html`<circle cx="12" cy="12" r="4" /><path
      d="M12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M18.4 5.6l-1.3 1.3M6.9 17.1l-1.3 1.3"
    />`,
)
const eye = html`<path d="M2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12Z" /><circle
    cx="12"
    cy="12"
    r="2.8"
  />`
export const eyeIcon = icon(eye, 'i on')
export const eyeOffIcon = icon(html`${eye}<path d="M4.5 4.5l15 15" />`, 'i off')

/** The mark of the product, or the first letter of the site's name. */
export const mark = (letter: string | undefined): Html =>
  html`<svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="currentColor" />
    ${
      letter === undefined
        ? html`<path
              d="M10 20.5a6.5 6.5 0 0 1 12 0"
              fill="none"
              stroke="var(--canvas)"
              stroke-width="2.6"
              stroke-linecap="round"
            /><circle cx="16" cy="11.5" r="2.6" fill="var(--canvas)" />`
        : html`<text x="16" y="21.5" text-anchor="middle" font-size="16" font-weight="600" fill="var(--canvas)"
            >${letter}</text
          >`
    }
  </svg>`

/** The tab's icon as an address, so that the page asks for nothing else. */
export const faviconAddress = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#17181c"/><path d="M10 20.5a6.5 6.5 0 0 1 12 0" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><circle cx="16" cy="11.5" r="2.6" fill="#fff"/></svg>',
)}`

/** Dusk over hills; by night in the dark theme. */
export const scene = html`<svg
  class="scene"
  viewBox="0 0 840 880"
  preserveAspectRatio="xMidYMax slice"
  aria-hidden="true"
>
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="var(--sky-1)" />
      <stop offset=".55" stop-color="var(--sky-2)" />
      <stop offset=".82" stop-color="var(--sky-3)" />
    </linearGradient>
    <radialGradient id="glow">
      <stop offset="0" stop-color="var(--sun)" stop-opacity=".75" />
      <stop offset="1" stop-color="var(--sun)" stop-opacity="0" />
    </radialGradient>
    <filter id="soft" x="-20%" y="-40%" width="140%" height="180%"><feGaussianBlur stdDeviation="14 3" /></filter>
    <linearGradient id="mist" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="var(--sky-3)" stop-opacity="0" />
      <stop offset="1" stop-color="var(--sky-3)" stop-opacity=".38" />
    </linearGradient>
  </defs>
  <rect width="840" height="880" fill="url(#sky)" />
  <circle cx="560" cy="470" r="270" fill="url(#glow)" />
  <circle cx="560" cy="470" r="46" fill="var(--sun)" />
  <g fill="#fff" opacity=".16" filter="url(#soft)">
    <ellipse cx="240" cy="210" rx="300" ry="13" />
    <ellipse cx="390" cy="236" rx="230" ry="8" />
    <ellipse cx="640" cy="150" rx="260" ry="10" />
    <ellipse cx="700" cy="318" rx="210" ry="9" />
    <ellipse cx="160" cy="352" rx="250" ry="8" />
  </g>
  <path
    d="M0 566c60-34 104-22 160-58 52-33 92-74 150-70 62 4 84 62 146 84 60 22 104-16 164-38 70-26 130 6 220 46v350H0Z"
    fill="var(--hill-1)"
  />
  <path d="M0 566h840v110H0Z" fill="url(#mist)" />
  <path
    d="M0 640c78-14 118-70 196-74 84-4 122 64 206 74 78 9 128-52 206-60 92-9 150 44 232 40v260H0Z"
    fill="var(--hill-2)"
  />
  <path d="M0 650h840v110H0Z" fill="url(#mist)" opacity=".7" />
  <path d="M0 716c92 10 150-44 248-40 104 4 156 66 262 62 96-4 170-58 330-50v192H0Z" fill="var(--hill-3)" />
  <path d="M0 800c120-28 220-34 330-12 140 28 300 22 510-34v126H0Z" fill="var(--hill-4)" />
</svg>`
