import type {MediaPlan} from '#contract/media/media-tool.ts'
import {statusOfCode} from '#domain/error-kinds.ts'
import {HttpFailure} from '../http/failure.ts'
import {findCode} from './codes/find-code.ts'
import {fieldOf, type Sources} from './sources.ts'

/**
 * An image that is to be read as a code must have one. Images of other servers and of kinds that cannot be opened here
 * are left to the provider.
 *
 * @throws HttpFailure 400 `no_code` that names the field
 */
export async function requireCode(sources: Sources, plan: MediaPlan, body: Record<string, unknown>): Promise<void> {
  if (plan.code === undefined || plan.code.content !== '') return
  const [file] = await sources.files()
  const [address = ''] = plan.sources
  if (file === undefined || (await findCode(file.read)) !== 'none') return
  throw new HttpFailure(statusOfCode('no_code'), 'no_code', 'pictureNoCode', {
    field: fieldOf(body, address),
  })
}
