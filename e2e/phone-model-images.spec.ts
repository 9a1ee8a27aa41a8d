import {test} from './fixtures.ts'
import {loadByPress} from './support/model-images-journey.ts'
import {long} from './support/full-run.ts'
import {anyPhone, askByTouch} from './support/phone.ts'

/* An image that a model names is loaded by a finger, where it stands, on a phone in Arabic or English. */

test.use(anyPhone)

test(
  'a foreign image is asked for by a press alone, and tells its host nothing',
  long,
  async ({chat: page, modelServer, watch}) => {
    await loadByPress({
      page,
      modelServer,
      watch,
      ask: (question) => askByTouch(page, question),
      load: (key) => key.tap(),
    })
  },
)
