// Loaded with --import into the console of the soak: its clock runs CLOCK_SPEED times as fast from CLOCK_FROM
// (epoch ms) on, its timers as ever.
const speed = Number(process.env.CLOCK_SPEED ?? 24);
const RealDate = Date;
const begun = Number(process.env.CLOCK_FROM ?? RealDate.now());
const now = (): number => begun + Math.round((RealDate.now() - begun) * speed);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now()] : values),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
