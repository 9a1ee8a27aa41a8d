import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import {ThemeChoice, type ThemeSetting} from './theme-choice.tsx'
import styles from './settings.module.css'

/** How the app looks on this device. */
export function AppearanceTab(choice: {theme: ThemeSetting; onTheme: (theme: ThemeSetting) => void}) {
  const text = useText()
  return (
    <div className={styles.setting}>
      <h3 className={surface.heading}>{text('index.themeTitle')}</h3>
      <ThemeChoice {...choice} />
    </div>
  )
}
