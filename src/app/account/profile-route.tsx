import {useSelector} from '@xstate/react'
import {useState} from 'react'
import {ProfilePage} from '#features/profile/profile-page.tsx'
import {LanguageList} from '#features/shell/language-list.tsx'
import {ThemeChoice} from '#features/shell/theme-choice.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {useAppActor} from '../actors.context.tsx'
import {usePreferences} from '../shell/settings.tsx'

export function ProfileRoute() {
  const auth = useAppActor('auth')
  const user = useSelector(auth, selectUser)
  const {theme, onTheme, locale, onLocale} = usePreferences()
  const [query, setQuery] = useState('')
  return (
    <ProfilePage
      user={user}
      appearance={
        <>
          <ThemeChoice theme={theme} onTheme={onTheme} />
          <LanguageList locale={locale} onLocale={onLocale} query={query} onQuery={setQuery} />
        </>
      }
      onSignIn={() => auth.send({type: 'login.request'})}
      onSignOut={() => auth.send({type: 'logout.request'})}
    />
  )
}
