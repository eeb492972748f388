// What a question asks of the order of members (native/facts/order.hpp).
import type { TimeOperator } from '../../time/question/operator.js';
import type { HoldingContext } from './holding.js';

export interface Order
  extends Pick<TimeOperator, 'order' | 'place' | 'window' | 'alternatives' | 'time' | 'held'>,
    HoldingContext {}
