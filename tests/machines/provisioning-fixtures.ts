import type {Application, Credential, Service} from '#contract/management.ts'
import type {ProvisioningInput} from '#machines/provisioning/provisioning.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'

export const host = 'https://foo.test'
export const service: Service = {id: 's-1', metadata: {capabilities: ['resume', 'unheard-of']}}
export const credential: Credential = {id: 'c-1', host, token: 'foo', application_id: 'a-1'}
export const bare: Application = {id: 'a-1', scope: 'Global', type: 'Usage', credentials: []}
export const equipped: Application = {...bare, credentials: [credential]}
export const individual: Application = {...bare, id: 'a-2', scope: 'Individual'}
export const environment = startEnvironment()
export const input: ProvisioningInput = {parentRef: nobody, environment, serviceId: 's-1', userId: 'u-1', host}
