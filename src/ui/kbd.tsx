import styles from './kbd.module.css'

/** Keys of a shortcut. Isolated and left to right in every language (design §9). */
export function Kbd({keys, plain = false}: {keys: string; plain?: boolean}) {
  return (
    <kbd className={plain ? styles.plain : styles.kbd}>
      <bdi dir="ltr">{keys}</bdi>
    </kbd>
  )
}

/** Keys such as `Mod+Shift+O` or `Ctrl ↵` as the platform writes them: `Ctrl ⇧ O` or `⌘ ⇧ O`. */
export const shownKeys = (keys: string, platform = globalThis.navigator?.platform ?? ''): string => {
  const label = keys.replace(/(?<=\w)\+/g, ' ').replace('Shift', '⇧')
  return /^(mac|iphone|ipad)/i.test(platform)
    ? label
        .replace(/Mod|Ctrl/, '⌘')
        .replace('Alt', '⌥')
        .replace('Control', '⌃')
    : label.replace('Mod', 'Ctrl')
}
