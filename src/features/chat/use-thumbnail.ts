import {useEffect, useState} from 'react'

/** Pixels of a side: the tile shows 32, on screens of three pixels each. */
const side = 96
/** Bytes. The pixels of a larger file would take the memory of the page. */
const mostBytes = 64_000_000

/** A drawing may hold anything, and needs no preview. */
const isPaintable = ({type, size}: File) => /^image\/(?!svg)/.test(type) && size <= mostBytes

/** A small square of an image. The browser reads it beside the page, so that typing goes on. */
async function paintThumbnail(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(side, side)
  const edge = Math.min(bitmap.width, bitmap.height)
  const [left, top] = [(bitmap.width - edge) / 2, (bitmap.height - edge) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, edge, edge, 0, 0, side, side)
  bitmap.close()
  return canvas.convertToBlob()
}

/** `reading` while it is not known; `none`: the browser cannot show the file, or has not got it any more. */
type Thumbnail = {state: 'reading' | 'none'} | {state: 'shown'; url: string}

/** A local address of the image in a file, from before it is uploaded until its tile goes. */
export function useThumbnail(file: File | undefined): Thumbnail {
  const source = file !== undefined && isPaintable(file) ? file : undefined
  const [thumbnail, setThumbnail] = useState<Thumbnail>({state: 'reading'})
  useEffect(() => {
    if (source === undefined) return
    const tile = new AbortController()
    const show = (blob: Blob) => {
      if (tile.signal.aborted) return
      const url = URL.createObjectURL(blob)
      tile.signal.addEventListener('abort', () => URL.revokeObjectURL(url))
      setThumbnail({state: 'shown', url})
    }
    paintThumbnail(source).then(show, () => setThumbnail({state: 'none'}))
    return () => tile.abort()
  }, [source])
  return source === undefined ? {state: 'none'} : thumbnail
}
