import sharp from 'sharp'
import {readXmp, type OwnLabel} from './labels.ts'

/** What a picture of the sandbox says about how it was made; `undefined` for any other. */
export async function pictureNote(bytes: Uint8Array): Promise<OwnLabel | undefined> {
  try {
    const {xmp} = await sharp(bytes).metadata()
    return xmp && readXmp(xmp.toString())
  } catch {
    return undefined // no picture: whoever opens it says so
  }
}
