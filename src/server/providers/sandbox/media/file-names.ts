/** A name for downloads: words of the prompt, and the seed. */
export function fileName(prompt: string, seed: number, extension: string): string {
  const words = prompt
    .normalize('NFKC')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s--\S.*$/s, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  const stem = (words ?? []).slice(0, 6).join('-').slice(0, 48).replace(/-$/, '')
  return `${stem === '' ? 'sandbox' : stem}-${seed}.${extension}`
}
