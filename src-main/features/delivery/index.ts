export { createDelivery } from './delivery.ts';
export { imageReference } from './image-reference.ts';
export { quantile } from './indicators.ts';
export { type DeliveryTables, deliveryMigrations } from './store.ts';
