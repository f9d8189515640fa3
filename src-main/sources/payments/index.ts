export { type EventFault, readPaymentEvent } from './event.ts';
export type { PaymentHint, PaymentObjectKind } from './hint.ts';
export {
  apiVersion,
  type CheckoutFacts,
  createStripePayments,
  type InvoiceFacts,
  type PaymentPage,
  type Payments,
  PaymentsError,
  type SubscriptionFacts,
} from './stripe.ts';
