import {Link} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {Suspense, useState} from 'react'
import {supportLinks} from '#domain/support-links.ts'
import {PageRow} from '#features/profile/profile-links.tsx'
import {ProfilePage} from '#features/profile/profile-page.tsx'
import {LanguageList} from '#features/shell/settings/language-list.tsx'
import {ThemeChoice} from '#features/shell/settings/theme-choice.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useText} from '#ui/text.tsx'
import {useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {ChatSettings} from '../chat/chat-settings.tsx'
import {usePreferences} from '../commands/preferences.ts'
import {openLayer, type Layer} from '../shell/open-layer.ts'
import {signOut} from './leave-guard.ts'
import {useIsSiteEditor} from './site-access.ts'
import {SharedLinks} from '../share/shared-links.tsx'
import {GeneralBalance} from '../console/general-balance.tsx'
import {Data, Profile, Security, Verification} from './account-parts.tsx'

/** `/profile` */
export function ProfileRoute() {
  const root = useRoot()
  const auth = useAppActor('auth')
  const user = useSelector(auth, selectUser)
  const site = useSelector(useAppActor('site'), selectSite)
  const {authBase, bulk, capabilities, platformLink, termsLink} = useAppInfo()
  const offersAccount = capabilities.includes('account')
  const {theme, onTheme, locale, onLocale} = usePreferences()
  const [query, setQuery] = useState('')
  const text = useText()
  return (
    <ProfilePage
      user={user}
      {...(user !== undefined && {balance: <GeneralBalance />, form: <Profile key={user.id} user={user} />})}
      siteLink={
        <>
          <SiteLink />
          <LayerRow layer="palette" label={text('index.palette')} />
          <LayerRow layer="general" label={text('index.settings')} />
        </>
      }
      {...(user !== undefined &&
        offersAccount && {
          verification: <Verification key={user.id} user={user} />,
          security: <Security key={user.id} />,
          data: <Data key={user.id} user={user} />,
        })}
      {...(user !== undefined && capabilities.includes('shares') && {shares: <SharedLinks key={user.id} />})}
      appearance={
        <>
          <ThemeChoice theme={theme} onTheme={onTheme} />
          <Suspense>
            <ChatSettings />
          </Suspense>
          <LanguageList locale={locale} onLocale={onLocale} query={query} onQuery={setQuery} />
        </>
      }
      {...(!offersAccount && {accountLinks: {profile: `${authBase}/user/profile`, verify: `${authBase}/user/verify`}})}
      platformLink={platformLink}
      termsLink={termsLink}
      support={supportLinks(site)}
      onSignIn={() => auth.send({type: 'login.request'})}
      onSignOut={() => void signOut(root, bulk)}
    />
  )
}

/** For users who may edit the site: its admins (contract/screens §7) and the operators. */
function SiteLink() {
  const text = useText()
  return useIsSiteEditor() ? <PageRow link={<Link to="/site">{text('index.menuSite')}</Link>} /> : null
}

/** Opens what phones have no menu for. */
const LayerRow = ({layer, label}: {layer: Layer; label: string}) => (
  <PageRow
    link={
      <button type="button" onClick={() => openLayer.set(layer)}>
        {label}
      </button>
    }
  />
)
