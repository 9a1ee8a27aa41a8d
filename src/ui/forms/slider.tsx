import type {CSSProperties} from 'react'
import {classNames} from '../class-names.ts'
import styles from './slider.module.css'

type SliderProps = {
  id?: string
  value: number
  least: number
  most: number
  step: number
  onChange: (value: number) => void
  /** Delete and a double press reset to this value. */
  initial?: number
  /** Name, for a slider without a visible label. */
  label?: string
  /** The value in words. */
  valueText?: string
  /** Timelines and volume run from left to right in every language (design.md §9). */
  isTimeline?: boolean
  'aria-describedby'?: string
}

/** A number between two bounds. Settings mirror with the writing direction, timelines do not. */
export function Slider(props: SliderProps) {
  const {value, least, most, step, initial, label, valueText, isTimeline = false, onChange, ...rest} = props
  const share = most > least ? Math.min(1, Math.max(0, (value - least) / (most - least))) : 0
  // as: custom properties are not in the type of a style
  const style = {'--share': `${share * 100}%`} as CSSProperties
  const reset = initial === undefined ? undefined : () => onChange(initial)
  return (
    <input
      {...rest}
      type="range"
      className={classNames(styles.slider, isTimeline && styles.plain)}
      style={style}
      dir={isTimeline ? 'ltr' : undefined}
      min={least}
      max={most}
      step={step}
      value={value}
      aria-label={label}
      aria-valuetext={valueText}
      onDoubleClick={reset}
      onKeyDown={(event) => {
        if (event.key === 'Delete' && reset !== undefined) reset()
      }}
      onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
    />
  )
}
