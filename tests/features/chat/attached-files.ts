import {fireEvent} from '@testing-library/react'

export const file = (name: string, type: string) => new File(['foo'], name, {type})

/** Chooses files in the field of the message. */
export const attach = (...files: File[]) => {
  const input = document.querySelector('input[type="file"]')
  if (input === null) throw new Error('no file field')
  fireEvent.change(input, {target: {files}})
}
