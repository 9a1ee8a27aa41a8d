import {clampAccent, type Accent} from '#domain/site-accent.ts'
/* Values of the design's tokens; only what these pages use. Lightness is fixed, hue and chroma come from the site. */
const light = `color-scheme: light;
  --canvas: oklch(.978 .0025 265); --raised: oklch(1 0 0); --fill-1: oklch(.955 .004 265); --fill-2: oklch(.928 .006 265);
  --line-1: oklch(.932 .004 265); --line-2: oklch(.885 .006 265); --line-control: oklch(.63 .012 265);
  --text-1: oklch(.205 .012 265); --text-2: oklch(.43 .014 265); --text-3: oklch(.515 .014 265);
  --accent: oklch(.535 var(--accent-c) var(--accent-h)); --accent-hover: oklch(.485 var(--accent-c) var(--accent-h));
  --accent-text: oklch(.50 calc(var(--accent-c) * .98) var(--accent-h)); --ring: var(--accent);
  --accent-soft: oklch(.962 calc(var(--accent-c) * .08) var(--accent-h));
  --success: oklch(.50 .124 155); --success-soft: oklch(.965 .03 155);
  --danger: oklch(.53 .20 25); --danger-soft: oklch(.967 .016 20); --danger-line: oklch(.88 .055 22);
  --shadow-1: 0 1px 2px oklch(.2 .02 265 / .05);
  --shadow-3: 0 2px 6px oklch(.2 .02 265 / .06), 0 18px 48px -12px oklch(.2 .02 265 / .22);
  --sky-1: #5d5a8f; --sky-2: #b287a8; --sky-3: #f0bfa2; --sun: #ffe9c4; --hill-1: #8d7097; --hill-2: #665482; --hill-3: #433c66; --hill-4: #28264a;`
const dark = `color-scheme: dark;
  --canvas: oklch(.148 .004 265); --raised: oklch(.212 .006 265); --fill-1: oklch(.245 .007 265); --fill-2: oklch(.285 .009 265);
  --line-1: oklch(.248 .007 265); --line-2: oklch(.305 .009 265); --line-control: oklch(.545 .012 265);
  --text-1: oklch(.955 .003 265); --text-2: oklch(.755 .009 265); --text-3: oklch(.655 .01 265);
  --accent: oklch(.545 calc(var(--accent-c) * .95) var(--accent-h)); --accent-hover: oklch(.51 calc(var(--accent-c) * .95) var(--accent-h));
  --accent-text: oklch(.765 calc(var(--accent-c) * .535) var(--accent-h)); --ring: oklch(.70 calc(var(--accent-c) * .7) var(--accent-h));
  --accent-soft: oklch(.275 calc(var(--accent-c) * .35) var(--accent-h));
  --success: oklch(.80 .15 155); --success-soft: oklch(.27 .05 155);
  --danger: oklch(.755 .135 22); --danger-soft: oklch(.225 .03 22); --danger-line: oklch(.345 .06 22);
  --shadow-1: inset 0 1px 0 oklch(1 0 0 / .04);
  --shadow-3: inset 0 1px 0 oklch(1 0 0 / .06), 0 24px 60px -12px oklch(0 0 0 / .7);
  --sky-1: #0d1430; --sky-2: #223258; --sky-3: #4b5b86; --sun: #e9eeff; --hill-1: #33426c; --hill-2: #243054; --hill-3: #161f3c; --hill-4: #0b1126;`

const themes = `:root { --accent-h: 266; --accent-c: .215; ${light} }
:root[data-theme="dark"] { ${dark} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${dark} } }
.to-light, [data-theme="dark"] .to-dark { display: none !important; }
[data-theme="dark"] .to-light { display: inline-grid !important; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) .to-dark { display: none !important; }
  :root:not([data-theme]) .to-light { display: inline-grid !important; }
}
@media (prefers-contrast: more) { :root { --line-1: var(--line-control); --line-2: var(--line-control); --text-3: var(--text-2); } }`

const base = `*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; block-size: 100%; }
body { margin: 0; min-block-size: 100dvh; font: 400 .875rem/1.25rem var(--sans); color: var(--text-1); background: var(--canvas); -webkit-font-smoothing: antialiased; }
:root { --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; }
:lang(ja) { --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans JP", sans-serif; }
:lang(zh-CN) { --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei UI", "Noto Sans SC", sans-serif; }
:lang(zh-TW) { --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang TC", "Microsoft JhengHei UI", "Noto Sans TC", sans-serif; }
:lang(ko) { --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; }
:lang(ar) { --sans: ui-sans-serif, system-ui, -apple-system, "SF Arabic", "Segoe UI", "Noto Sans Arabic", "Noto Naskh Arabic UI", Tahoma, sans-serif; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
button { background: none; border: 0; padding: 0; cursor: pointer; }
h1, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent-text); text-decoration: none; font-weight: 500; }
@media (hover: hover) { a:hover { text-decoration: underline; text-underline-offset: 3px; } }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
svg.i { inline-size: 16px; block-size: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; display: block; }
svg.i.l { inline-size: 20px; block-size: 20px; stroke-width: 1.55; }`

const layout = `.page { min-block-size: 100dvh; display: grid; grid-template-columns: minmax(0, 1fr); }
.side { display: flex; flex-direction: column; min-block-size: 100dvh; padding: 20px 24px calc(16px + env(safe-area-inset-bottom)); }
.brand { display: flex; align-items: center; gap: 10px; min-inline-size: 0; font-size: .9375rem; font-weight: 600; letter-spacing: -.01em; }
.brand svg { inline-size: 32px; block-size: 32px; flex: none; }
.brand img { inline-size: 32px; block-size: 32px; flex: none; object-fit: contain; border-radius: 9px; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main { inline-size: 100%; max-inline-size: 368px; margin: auto; padding-block: 32px; }
h1 { font-size: 1.375rem; line-height: 1.875rem; font-weight: 600; letter-spacing: -.022em; text-wrap: balance; overflow-wrap: anywhere; }
.lead { margin-block-start: 6px; color: var(--text-2); text-wrap: pretty; overflow-wrap: anywhere; }
.note { display: flex; gap: 10px; margin-block-start: 18px; padding: 10px 12px; border-radius: 10px; background: var(--accent-soft); font-size: .8125rem; line-height: 1.125rem; }
.note svg { margin-block-start: 1px; color: var(--accent-text); }
form { display: grid; gap: 16px; margin-block-start: 24px; }
.field { display: grid; gap: 6px; }
label { font-size: .8125rem; line-height: 1.125rem; font-weight: 500; color: var(--text-1); }
.box { position: relative; display: flex; }
input[type="email"], input[type="password"], input[type="text"] { inline-size: 100%; block-size: 2.625rem; padding-inline: 12px; font-size: 1rem; line-height: 1.25rem; border: 1px solid var(--line-2); border-radius: 10px; background: var(--raised); box-shadow: var(--shadow-1); transition: border-color 90ms, box-shadow 90ms; }
@media (hover: hover) { input:hover { border-color: var(--line-control); } }
input:focus-visible { outline: 0; border-color: var(--ring); box-shadow: 0 0 0 3px color-mix(in oklab, var(--ring) 22%, transparent); }
input[aria-invalid="true"] { border-color: var(--danger); }
input[aria-invalid="true"]:focus-visible { box-shadow: 0 0 0 3px color-mix(in oklab, var(--danger) 22%, transparent); }
.box.secret input { padding-inline-end: 48px; }
.reveal { position: absolute; inset-block: 1px; inset-inline-end: 1px; inline-size: 44px; display: grid; place-items: center; border-radius: 9px; color: var(--text-3); }
@media (hover: hover) { .reveal:hover { color: var(--text-1); } }
.reveal:focus-visible { outline-offset: -3px; }
.reveal .off, .reveal[aria-pressed="true"] .on { display: none; }
.reveal[aria-pressed="true"] .off { display: block; }
.hint { font-size: .78125rem; line-height: 1.125rem; color: var(--text-3); }
.error { display: flex; gap: 6px; font-size: .78125rem; line-height: 1.125rem; color: var(--danger); }
.error svg { margin-block-start: 1px; }
.summary { margin-block-start: 18px; padding: 12px 14px; border: 1px solid var(--danger-line); border-radius: 10px; background: var(--danger-soft); font-size: .8125rem; line-height: 1.125rem; }
.summary p { display: flex; gap: 8px; font-weight: 500; }
.summary svg { margin-block-start: 1px; color: var(--danger); }
.summary ul { margin-block-start: 6px; padding-inline-start: 24px; display: grid; gap: 4px; }
.summary a { color: inherit; font-weight: 400; text-decoration: underline; text-underline-offset: 3px; }
.go { display: flex; align-items: center; justify-content: center; gap: 8px; inline-size: 100%; min-block-size: 42px; padding: 9px 16px; margin-block-start: 4px; border-radius: 10px; font-size: .875rem; line-height: 1.25rem; font-weight: 500; text-align: center; color: oklch(1 0 0); background: var(--accent); box-shadow: inset 0 1px 0 oklch(1 0 0 / .16), 0 1px 2px oklch(.2 .02 265 / .12); transition: background 90ms, scale 60ms; }
@media (hover: hover) { .go:hover { background: var(--accent-hover); text-decoration: none; } }
.go:active { scale: .98; }
form[aria-busy="true"] .go { opacity: .7; cursor: default; }
.second { display: flex; align-items: center; justify-content: center; gap: 8px; inline-size: 100%; min-block-size: 36px; padding: 8px 14px; border: 1px solid var(--line-2); border-radius: 8px; font-size: .8125rem; font-weight: 500; background: var(--raised); box-shadow: var(--shadow-1); }
@media (hover: hover) { .second:hover { background: var(--fill-1); } }
.other { margin-block-start: 22px; font-size: .8125rem; color: var(--text-2); text-align: center; }
.done { display: grid; place-items: center; inline-size: 44px; block-size: 44px; margin-block-end: 16px; border-radius: 50%; color: var(--accent-text); background: var(--accent-soft); }
.done.paid { color: var(--success); background: var(--success-soft); }
.done.stopped { color: var(--danger); background: var(--danger-soft); }
.foot { display: flex; align-items: center; justify-content: space-between; gap: 8px; color: var(--text-2); }
.foot > :last-child:not(:only-child) { margin-inline-start: auto; }
.tool { display: inline-grid; grid-auto-flow: column; align-items: center; gap: 7px; min-inline-size: 32px; min-block-size: 32px; padding-inline: 9px; border-radius: 8px; font-size: .78125rem; font-weight: 500; color: var(--text-2); cursor: pointer; list-style: none; }
@media (hover: hover) { .tool:hover { background: var(--fill-1); color: var(--text-1); text-decoration: none; } }
.tool::-webkit-details-marker { display: none; }
details { position: relative; }
.menu { position: absolute; inset-block-end: calc(100% + 6px); inset-inline-start: 0; inline-size: 300px; max-inline-size: calc(100vw - 48px); display: grid; grid-template-columns: 1fr 1fr; gap: 2px; padding: 6px; border: 1px solid var(--line-1); border-radius: 12px; background: var(--raised); box-shadow: var(--shadow-3); z-index: 50; }
.menu a { display: flex; align-items: center; min-block-size: 34px; padding-inline: 10px; border-radius: 8px; font-size: .8125rem; font-weight: 400; color: var(--text-1); }
@media (hover: hover) { .menu a:hover { background: var(--fill-1); text-decoration: none; } }
.menu a[aria-current] { background: var(--fill-2); font-weight: 500; }
.art { display: none; }
@media (min-width: 1024px) {
  .page.wide { grid-template-columns: minmax(440px, 5fr) 7fr; }
  .art { position: relative; display: block; margin: 8px; margin-inline-start: 0; border-radius: 12px; overflow: hidden; background: var(--sky-2); }
  .art svg.scene { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
  .art p { position: absolute; inset-inline-start: 20px; inset-block-end: 20px; max-inline-size: calc(100% - 40px); padding: 12px 16px; border-radius: 12px; color: #fff; background: oklch(.16 .01 265 / .62); backdrop-filter: blur(10px); }
  .art p b { display: block; font-size: .9375rem; line-height: 1.25rem; font-weight: 600; letter-spacing: -.01em; }
  .art p span { font-size: .8125rem; line-height: 1.125rem; opacity: .88; }
  .page:not(.wide) .art { display: none; }
}
@media (min-width: 768px) { .page:not(.wide) main { max-inline-size: 400px; } }
.embedded .side { padding: 20px 24px 12px; }
.embedded main { margin-block: 0 auto; padding-block: 20px 16px; }
.embedded, .embedded body { background: var(--raised); }
.embedded form { gap: 14px; margin-block-start: 18px; }
.embedded .other { margin-block-start: 16px; }
@media (pointer: coarse) { input[type], .go, .second { min-block-size: 44px; } .tool, .menu a { min-block-size: 44px; } }
@media (max-width: 767px) { main { margin-block: 0 auto; padding-block: 48px 24px; } .embedded main { padding-block: 20px 16px; } }
:lang(ar) { letter-spacing: 0 !important; } :lang(ar) body { line-height: 1.375rem; }
:lang(ja) h1, :lang(zh) h1, :lang(ko) h1, :lang(ja) .brand, :lang(zh) .brand, :lang(ko) .brand { letter-spacing: 0; }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { transition: none !important; } .go:active { scale: 1; } }
@media (forced-colors: active) { .go, .second, .summary, .note { border: 1px solid; } }`

/** The one style sheet of the sign-in pages. */
export const pageStyle = [themes, base, layout].join('\n')

export const accentStyle = (accent: Accent | null | undefined): string => {
  if (!accent || !Number.isFinite(accent.hue) || !Number.isFinite(accent.chroma)) return ''
  const {hue, chroma} = clampAccent(accent)
  return `:root { --accent-h: ${hue}; --accent-c: ${chroma}; }`
}
