import {Link} from '@tanstack/react-router'
import {useActor, useSelector} from '@xstate/react'
import {Suspense, useState, type ReactNode} from 'react'
import {clearDevice} from '#browser/clear-device.ts'
import {ExportAll} from '#features/chat/list/export-all.tsx'
import {KeyList} from '#features/shell/commands/key-list.tsx'
import {AppearanceTab} from '#features/shell/settings/appearance-tab.tsx'
import {DataTab} from '#features/shell/settings/data-tab.tsx'
import {LanguageTab} from '#features/shell/settings/language-tab.tsx'
import {NoticesSetting} from '#features/shell/settings/notices-setting.tsx'
import {SettingsDialog} from '#features/shell/settings/settings-dialog.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {callOf} from '#machines/call/call.machine.ts'
import {buttonClass} from '#ui/button-class.ts'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useAppInfo} from '../app-info.tsx'
import {actorOf, useAppActor, useRoot, useSessionActor} from '../actors.context.tsx'
import {openLayer, type SettingsTab} from '../shell/open-layer.ts'
import {useWords} from '../use-words.ts'
import {useBackgroundNotices} from './background-notices.ts'
import {useKeyList} from './command-keys.ts'
import {usePreferences} from './preferences.ts'
import {useOffersImport} from './offers-import.ts'

// its code is that of threads
const ChatSettings = lazyView(async () => (await import('../chat/chat-settings.tsx')).ChatSettings)

// its code and words are those of the profile
const SharedLinks = lazyView(async () => (await import('../share/shared-links.tsx')).SharedLinks)

/** Milliseconds: storage that another tab holds open is not removed. */
const clearDeadline = 20_000

type Tab = {id: SettingsTab; label: MessageId; content: () => ReactNode}

const General = () => <NoticesSetting {...useBackgroundNotices()} />

function Appearance() {
  const {theme, onTheme} = usePreferences()
  return <AppearanceTab theme={theme} onTheme={onTheme} />
}

function Languages() {
  const {locale, onLocale} = usePreferences()
  return <LanguageTab locale={locale} onLocale={onLocale} />
}

const Chat = () => (
  <Suspense>
    <ChatSettings />
  </Suspense>
)

const Keys = () => <KeyList {...useKeyList()} />

/** The links to copies; suspends until code and messages are there. */
function Shares() {
  useWords('account')
  return <SharedLinks key={useSelector(useAppActor('auth'), selectUser)?.id} />
}

function Data() {
  const text = useText()
  const root = useRoot()
  const {capabilities} = useAppInfo()
  const offersImport = useOffersImport()
  const conversations = useSessionActor('conversations')
  const close = () => openLayer.set(undefined)
  const [logic] = useState(() =>
    callOf(async () => {
      await clearDevice()
      actorOf(root, 'auth')?.send({type: 'logout.request'})
    }),
  )
  const [snapshot, send] = useActor(logic, {input: {deadline: clearDeadline}})
  return (
    <DataTab
      profileLink={
        capabilities.includes('account') ? (
          <Link to="/profile" className={buttonClass('outline')} onClick={close}>
            {text('index.profile')}
          </Link>
        ) : undefined
      }
      exportButton={conversations && <ExportAll conversations={conversations} />}
      shares={
        conversations !== undefined && capabilities.includes('shares') ? (
          <Suspense fallback={<Skeleton blockSize={60} />}>
            <Shares />
          </Suspense>
        ) : undefined
      }
      onImport={offersImport ? () => openLayer.set('import') : undefined}
      clearing={{snapshot, send}}
    />
  )
}

/** Each tab is a component of its own; the palette offers them by name. */
export const settingsTabs: readonly Tab[] = [
  {id: 'general', label: 'index.settingGeneral', content: General},
  {id: 'chat', label: 'index.chat', content: Chat},
  {id: 'appearance', label: 'index.profileAppearance', content: Appearance},
  {id: 'language', label: 'index.language', content: Languages},
  {id: 'keys', label: 'index.settingKeys', content: Keys},
  {id: 'data', label: 'index.settingData', content: Data},
]

export function Settings({tab, onClose}: {tab: SettingsTab; onClose: () => void}) {
  const text = useText()
  const tabs = settingsTabs.map(({id, label, content: Content}) => ({id, label: text(label), content: <Content />}))
  return <SettingsDialog tabs={tabs} tab={tab} onTab={openLayer.set} onClose={onClose} />
}
