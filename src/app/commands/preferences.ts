import {useSelector} from '@xstate/react'
import {type ThemeSetting} from '#features/shell/settings/theme-choice.tsx'
import {toLocale} from '#domain/locale.ts'
import {type PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import {selectFollowsSystem, selectLocale, selectTheme} from '#machines/preferences/preferences.selectors.ts'
import {useAppActor} from '../actors.context.tsx'

/** The theme as one setting, and the functions that change the preferences. */
export function usePreferences() {
  const preferences = useAppActor('preferences')
  const locale = useSelector(preferences, selectLocale)
  const theme = useSelector(preferences, (snapshot): ThemeSetting =>
    selectFollowsSystem(snapshot) ? 'system' : selectTheme(snapshot),
  )
  return {
    locale,
    theme,
    onTheme: (next: ThemeSetting) => chooseTheme(preferences, next),
    onLocale: (next: string) => preferences.send({type: 'locale.choose', locale: toLocale(next)}),
  }
}

function chooseTheme(preferences: PreferencesActor, next: ThemeSetting) {
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  preferences.send({type: 'theme.choose', theme: next === 'system' ? system : next, followsSystem: next === 'system'})
}
