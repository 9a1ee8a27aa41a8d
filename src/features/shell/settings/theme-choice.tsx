import {Segmented} from '#ui/segmented.tsx'
import {useText} from '#ui/text.tsx'

/** `system` follows the device. */
export type ThemeSetting = 'light' | 'dark' | 'system'

export function ThemeChoice({theme, onTheme}: {theme: ThemeSetting; onTheme: (theme: ThemeSetting) => void}) {
  const text = useText()
  return (
    <Segmented
      label={text('index.themeTitle')}
      value={theme}
      onChange={onTheme}
      options={[
        {value: 'light', label: text('index.themeLight')},
        {value: 'dark', label: text('index.themeDark')},
        {value: 'system', label: text('index.themeSystem')},
      ]}
    />
  )
}
