import type {ComponentProps} from 'react'
import {QrDialog} from '#features/auth/qr-dialog.tsx'
import {FirstRunDialog} from '#features/shell/first-run-dialog.tsx'
import {useWords} from '../use-words.ts'

/* Dialogs around a sign-in, in words that come with them. */

export function Qr(props: ComponentProps<typeof QrDialog>) {
  useWords('account')
  useWords('console')
  return <QrDialog {...props} />
}

export function Start(props: ComponentProps<typeof FirstRunDialog>) {
  useWords('account')
  return <FirstRunDialog {...props} />
}
