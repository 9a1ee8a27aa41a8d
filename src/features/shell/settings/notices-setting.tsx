import {Switch} from '#ui/forms/switch.tsx'
import {useText, type MessageId} from '#ui/text.tsx'

export type NoticesSettingState = 'off' | 'asking' | 'on' | 'denied' | 'missing'

const help: Record<NoticesSettingState, MessageId> = {
  off: 'index.settingNotifyHelp',
  on: 'index.settingNotifyHelp',
  asking: 'index.settingNotifyAsking',
  denied: 'index.settingNotifyDenied',
  missing: 'index.settingNotifyMissing',
}

type NoticesSettingProps = {state: NoticesSettingState; onChange: (isOn: boolean) => void}

/** Notifications of the system for what ends in the background. */
export function NoticesSetting({state, onChange}: NoticesSettingProps) {
  const text = useText()
  return (
    <Switch
      id="background-notices"
      label={text('index.settingNotify')}
      help={text(help[state])}
      value={state === 'on' || state === 'asking'}
      disabled={state === 'missing'}
      onChange={onChange}
    />
  )
}
