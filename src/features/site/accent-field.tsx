import {useId, type CSSProperties} from 'react'
import {accentHex, accentOf, defaultAccent, type Accent} from '#domain/site-accent.ts'
import {Button} from '#ui/button.tsx'
import {Field, noteProps} from '#ui/forms/field.tsx'
import {useText} from '#ui/text.tsx'
import styles from './accent-field.module.css'

type AccentFieldProps = {
  value: Accent | undefined
  onChange: (accent: Accent | undefined) => void
}

// React's type knows no custom properties
const sampleStyle = (colorScheme: 'light' | 'dark', {hue, chroma}: Accent) =>
  ({colorScheme, '--hue': hue, '--chroma': chroma}) as CSSProperties

/** A site's brand colour: chosen as any colour, shown as the buttons and links it makes in both themes (design §13). */
export function AccentField({value, onChange}: AccentFieldProps) {
  const text = useText()
  const id = useId()
  const {hue, chroma} = value ?? defaultAccent
  return (
    <Field id={id} label={text('site.accent')} help={text('site.accentHelp')}>
      <div className={styles.row}>
        <input
          id={id}
          type="color"
          className={styles.colour}
          {...noteProps(id, text('site.accentHelp'), undefined)}
          value={accentHex({hue, chroma})}
          onChange={({currentTarget}) => onChange(accentOf(currentTarget.value))}
        />
        {(['light', 'dark'] as const).map((theme) => (
          <span key={theme} aria-hidden className={styles.sample} style={sampleStyle(theme, {hue, chroma})}>
            <span className={styles.fill}>{text('site.save')}</span>
            <span>{text('site.name')}</span>
          </span>
        ))}
        {value !== undefined && (
          <Button size="sm" variant="ghost" onClick={() => onChange(undefined)}>
            {text('site.accentDefault')}
          </Button>
        )}
      </div>
    </Field>
  )
}
