export { createDelivery, type Deliveries } from './delivery.ts';
export { type DeliveryTables, deliveryMigrations } from './store.ts';
