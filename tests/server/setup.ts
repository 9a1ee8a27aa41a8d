import {lowerHashCost} from './cheap-hash.ts'

lowerHashCost()
