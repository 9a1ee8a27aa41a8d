const extensions = {image: 'png', video: 'mp4', audio: 'mp3', text: 'txt'} as const

/** A file name that says what it is: tool, first words of its name, what was done for it, a bit of the id. */
export function fileNameOf(
  tool: string,
  names: readonly (string | undefined)[],
  id: string,
  url: string,
  medium: keyof typeof extensions,
): string {
  const words = names.map((name = '') =>
    name
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48)
      .replace(/-+$/, ''),
  )
  const extension =
    /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(new URL(url, 'http://localhost').pathname)?.[1] ?? extensions[medium]
  return `${[tool, ...words, id.replace(/[^\w]/g, '').slice(0, 8)].filter(Boolean).join('-')}.${extension.toLowerCase()}`
}

/**
 * Saves a file under a name. A file of another origin that may not be read is opened instead, so that the browser can
 * save it. Rejects when the file cannot be had.
 */
export async function saveFile(url: string, name: string, fetchFile: typeof fetch = fetch): Promise<void> {
  const press = (href: string, isOwn: boolean) => {
    const link = document.createElement('a')
    link.href = href
    if (isOwn) link.download = name
    else {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    link.click()
  }
  let answer: Response
  try {
    answer = await fetchFile(url, {credentials: 'omit'})
  } catch {
    press(url, false) // another origin does not let this page read it
    return
  }
  if (!answer.ok) throw new Error(`The file answered ${answer.status}`)
  const local = URL.createObjectURL(await answer.blob())
  press(local, true)
  setTimeout(() => URL.revokeObjectURL(local), 60_000)
}
