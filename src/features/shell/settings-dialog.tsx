import {useState, type ReactNode} from 'react'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {LanguageList} from './language-list.tsx'
import {ThemeChoice, type ThemeSetting} from './theme-choice.tsx'
import styles from './settings-dialog.module.css'

type SettingsDialogProps = {
  open: boolean
  onClose: () => void
  theme: ThemeSetting
  onTheme: (theme: ThemeSetting) => void
  locale: string
  onLocale: (locale: string) => void
  /** Settings of other features. */
  children?: ReactNode
}

/** Theme and language. Each choice applies at once; there is no Save (screens.md §13). */
export function SettingsDialog({open, onClose, theme, onTheme, locale, onLocale, children}: SettingsDialogProps) {
  const text = useText()
  const [query, setQuery] = useState('')
  return (
    <Dialog open={open} title={text('index.settings')} width={480} onClose={onClose}>
      <div className={styles.body}>
        <h3 className={styles.heading}>{text('index.themeTitle')}</h3>
        <ThemeChoice theme={theme} onTheme={onTheme} />
        {children}
        <h3 className={styles.heading}>{text('index.language')}</h3>
        <LanguageList locale={locale} onLocale={onLocale} query={query} onQuery={setQuery} />
      </div>
    </Dialog>
  )
}
