import {HttpFailure} from '../http/failure.ts'

export const orderPaid = () => new HttpFailure(409, 'conflict', 'orderPaid')
export const paymentProcessing = () => new HttpFailure(409, 'conflict', 'paymentProcessing')
