import {useEffect, useRef, useState} from 'react'
import {loadPart} from './load-part.ts'
import {useText} from './text.tsx'
import styles from './qr-code.module.css'

/** A link as a QR code, dark on white in both themes. Empty and oversize input say so instead (spec §8). */
export function QrCode({value, size = 230}: {value: string; size?: number}) {
  const text = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [tooLong, setTooLong] = useState<string>()
  useEffect(() => {
    const target = canvas.current
    if (target === null || value === '') return
    let current = true
    void loadPart(() => import('qrcode'))
      .then(({toCanvas}) => {
        if (!current) return
        // the library reports oversize data by an exception or by the callback, depending on the call
        // it also rounds the width down, often below a whole number: half a pixel more prevents that
        toCanvas(target, value, {width: size + 0.5, margin: 2}, (error) => {
          if (current && error) setTooLong(value)
        })
      })
      .catch(() => {
        if (current) setTooLong(value)
      })
    return () => {
      current = false
    }
  }, [value, size])

  if (value === '' || tooLong === value) {
    return (
      <p role="alert" className={styles.problem}>
        {text(value === '' ? 'common.qrEmpty' : 'common.qrTooLong')}
      </p>
    )
  }
  return (
    <span className={styles.frame}>
      <canvas ref={canvas} width={size} height={size} role="img" aria-label={text('common.qrCode')} />
    </span>
  )
}
