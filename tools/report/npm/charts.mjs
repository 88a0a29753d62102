// What of D3 the pages use; `npm run build` makes ../charts.js of it.
export { axisBottom, axisLeft } from "d3-axis";
export { scaleLinear, scaleLog } from "d3-scale";
export { select, pointer } from "d3-selection";
export { line } from "d3-shape";
export { zoom, zoomIdentity } from "d3-zoom";
