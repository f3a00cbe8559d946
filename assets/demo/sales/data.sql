-- sales: every row is written out; 48 rows, two for each region, product and quarter of 2024.
--
-- By hand, "which region grew most in Q3" (against Q2, in thousands of dollars):
--                  Q2                            Q3                            growth
--   North America  148 + 182 + 186 + 204 = 720   150 + 190 + 200 + 216 = 756    36 / 720 =  5 %
--   Europe         172 + 186 + 178 + 184 = 720   180 + 206 + 194 + 212 = 792    72 / 720 = 10 %
--   Asia Pacific   142 + 152 + 150 + 156 = 600   184 + 196 + 180 + 190 = 750   150 / 600 = 25 %
-- Asia Pacific grew most, in percent and in dollars alike, though it sold least in Q3 and Europe
-- sold most. The quarters sum to 1980, 2040, 2298 and 2640, the year to 8958.

INSERT INTO sales (id, region, product, revenue, units_sold, quarter, year) VALUES
  ( 1, 'North America', 'Product A', 150000, 500, 'Q3', 2024),
  ( 2, 'North America', 'Product B', 200000, 600, 'Q3', 2024),
  ( 3, 'Europe',        'Product A', 180000, 550, 'Q3', 2024),
  ( 4, 'Europe',        'Product B', 194000, 590, 'Q3', 2024),
  ( 5, 'Asia Pacific',  'Product A', 184000, 570, 'Q3', 2024),
  ( 6, 'Asia Pacific',  'Product B', 180000, 560, 'Q3', 2024),
  ( 7, 'North America', 'Product A', 190000, 610, 'Q3', 2024),
  ( 8, 'North America', 'Product B', 216000, 640, 'Q3', 2024),
  ( 9, 'Europe',        'Product A', 206000, 630, 'Q3', 2024),
  (10, 'Europe',        'Product B', 212000, 660, 'Q3', 2024),
  (11, 'Asia Pacific',  'Product A', 196000, 620, 'Q3', 2024),
  (12, 'Asia Pacific',  'Product B', 190000, 600, 'Q3', 2024),
  (13, 'North America', 'Product A', 146000, 490, 'Q1', 2024),
  (14, 'North America', 'Product B', 188000, 580, 'Q1', 2024),
  (15, 'Europe',        'Product A', 164000, 520, 'Q1', 2024),
  (16, 'Europe',        'Product B', 170000, 540, 'Q1', 2024),
  (17, 'Asia Pacific',  'Product A', 140000, 480, 'Q1', 2024),
  (18, 'Asia Pacific',  'Product B', 144000, 495, 'Q1', 2024),
  (19, 'North America', 'Product A', 172000, 560, 'Q1', 2024),
  (20, 'North America', 'Product B', 194000, 600, 'Q1', 2024),
  (21, 'Europe',        'Product A', 178000, 560, 'Q1', 2024),
  (22, 'Europe',        'Product B', 188000, 600, 'Q1', 2024),
  (23, 'Asia Pacific',  'Product A', 142000, 485, 'Q1', 2024),
  (24, 'Asia Pacific',  'Product B', 154000, 510, 'Q1', 2024),
  (25, 'North America', 'Product A', 148000, 495, 'Q2', 2024),
  (26, 'North America', 'Product B', 186000, 585, 'Q2', 2024),
  (27, 'Europe',        'Product A', 172000, 530, 'Q2', 2024),
  (28, 'Europe',        'Product B', 178000, 560, 'Q2', 2024),
  (29, 'Asia Pacific',  'Product A', 142000, 485, 'Q2', 2024),
  (30, 'Asia Pacific',  'Product B', 150000, 500, 'Q2', 2024),
  (31, 'North America', 'Product A', 182000, 580, 'Q2', 2024),
  (32, 'North America', 'Product B', 204000, 620, 'Q2', 2024),
  (33, 'Europe',        'Product A', 186000, 575, 'Q2', 2024),
  (34, 'Europe',        'Product B', 184000, 595, 'Q2', 2024),
  (35, 'Asia Pacific',  'Product A', 152000, 505, 'Q2', 2024),
  (36, 'Asia Pacific',  'Product B', 156000, 520, 'Q2', 2024),
  (37, 'North America', 'Product A', 198000, 640, 'Q4', 2024),
  (38, 'North America', 'Product B', 262000, 800, 'Q4', 2024),
  (39, 'Europe',        'Product A', 214000, 660, 'Q4', 2024),
  (40, 'Europe',        'Product B', 226000, 690, 'Q4', 2024),
  (41, 'Asia Pacific',  'Product A', 176000, 560, 'Q4', 2024),
  (42, 'Asia Pacific',  'Product B', 182000, 570, 'Q4', 2024),
  (43, 'North America', 'Product A', 232000, 720, 'Q4', 2024),
  (44, 'North America', 'Product B', 300000, 900, 'Q4', 2024),
  (45, 'Europe',        'Product A', 230000, 700, 'Q4', 2024),
  (46, 'Europe',        'Product B', 238000, 730, 'Q4', 2024),
  (47, 'Asia Pacific',  'Product A', 188000, 600, 'Q4', 2024),
  (48, 'Asia Pacific',  'Product B', 194000, 615, 'Q4', 2024);
