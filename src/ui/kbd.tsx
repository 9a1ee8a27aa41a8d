import styles from './kbd.module.css'

/** Keys of a shortcut. Isolated and left to right in every language (design §9). */
export function Kbd({keys, plain = false}: {keys: string; plain?: boolean}) {
  return (
    <kbd className={plain ? styles.plain : styles.kbd}>
      <bdi dir="ltr">{keys}</bdi>
    </kbd>
  )
}

/** `Ctrl ⇧ O` or `⌘ ⇧ O`, as the platform writes it. */
export const shownKeys = (keys: string, platform = globalThis.navigator?.platform ?? ''): string =>
  /^(mac|iphone|ipad)/i.test(platform) ? keys.replaceAll('Ctrl', '⌘') : keys
