import {fileTypeFromFile} from 'file-type'
import {extensionOf} from './file-name.ts'
import {fileTypes, type FileType} from './file-types.ts'

/**
 * An image with the extension of another image format gets the extension of its bytes. Any other file keeps its name;
 * `inspectFile` compares it with the content.
 */
export async function namedByContent(
  path: string,
  name: string,
  fileType: FileType,
): Promise<{name: string; fileType: FileType}> {
  if (fileType.kind !== 'image') return {name, fileType}
  const detectedType = await fileTypeFromFile(path)
  const ownType = detectedType && fileTypes.get(detectedType.ext)
  if (detectedType === undefined || ownType?.kind !== 'image' || ownType.type === fileType.type) return {name, fileType}
  return {name: `${name.slice(0, -extensionOf(name).length)}${detectedType.ext}`, fileType: ownType}
}
